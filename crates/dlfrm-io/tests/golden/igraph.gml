Creator "igraph version 1.0.0 Thu Nov 19 17:20:22 2026"
Version 1
graph
[
  directed 1
  node
  [
    id 0
    name "Ada"
  ]
  node
  [
    id 1
    name "Bob"
  ]
  node
  [
    id 2
    name "Cleo"
  ]
  node
  [
    id 3
    name "Dan"
  ]
  node
  [
    id 4
    name "Eve"
  ]
  edge
  [
    source 0
    target 1
  ]
  edge
  [
    source 1
    target 0
  ]
  edge
  [
    source 1
    target 2
  ]
  edge
  [
    source 2
    target 3
  ]
  edge
  [
    source 3
    target 0
  ]
  edge
  [
    source 4
    target 1
  ]
]
