graph [
  directed 1
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
    label "Cleo"
  ]
  node [
    id 3
    label "Dan"
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
    source 1
    target 0
  ]
  edge [
    source 1
    target 2
  ]
  edge [
    source 2
    target 3
  ]
  edge [
    source 3
    target 0
  ]
  edge [
    source 4
    target 1
  ]
]
