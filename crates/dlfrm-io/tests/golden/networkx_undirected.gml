graph [
  node [
    id 0
    label "Ada"
  ]
  node [
    id 1
    label "Bob"
  ]
  node [
    id 2
    label "Dan"
  ]
  node [
    id 3
    label "Cleo"
  ]
  node [
    id 4
    label "Eve"
  ]
  edge [
    source 0
    target 1
  ]
  edge [
    source 0
    target 2
  ]
  edge [
    source 1
    target 3
  ]
  edge [
    source 1
    target 4
  ]
  edge [
    source 2
    target 3
  ]
]
