from __future__ import annotations

from tests.fixing.rules.executed.case import Case

GRAPH = (
    "import networkx as nx\nimport pandas as pd\nimport numpy as np\n"
    "G = nx.Graph([(0, 1), (1, 2), (4, 5)])\n"
)

LOUD: list[Case] = [
    Case(
        "networkx-pagerank-variants",
        "import networkx as nx\ng = nx.path_graph(3)\n",
        "result = nx.pagerank_scipy(g)",
        "len(result) == 3",
    ),
    Case(
        "networkx-set-attributes-order",
        "import networkx as nx\ng = nx.path_graph(3)\n",
        "nx.set_node_attributes(g, 'kind', {1: 'a'})",
        "g.nodes[1]['kind'] == 'a'",
    ),
    Case("networkx-info", GRAPH, "result = nx.info(G)", "'5 nodes and 3 edges' in result"),
    Case(
        "networkx-numpy-matrix",
        GRAPH,
        "m = nx.to_numpy_matrix(G, nodelist=[0, 1, 2])\nresult = m * m",
        "result.tolist() == [[1., 0., 1.], [0., 2., 0.], [1., 0., 1.]]",
    ),
    Case(
        "networkx-from-numpy-matrix",
        GRAPH,
        "result = nx.from_numpy_matrix(np.matrix([[0, 1], [1, 0]]))",
        "list(result.edges()) == [(0, 1)]",
    ),
    Case(
        "networkx-scipy-sparse-matrix",
        GRAPH,
        "m = nx.to_scipy_sparse_matrix(G, nodelist=[0, 1, 2])\nresult = m * m",
        "result.toarray().tolist() == [[1, 0, 1], [0, 2, 0], [1, 0, 1]]",
    ),
    Case(
        "networkx-component-subgraphs",
        GRAPH,
        "result = max(nx.connected_component_subgraphs(G), key=len)",
        "list(result.edges()) == [(0, 1), (1, 2)]",
    ),
    Case(
        "networkx-component-subgraphs",
        GRAPH,
        "def parts(graph):\n    found = nx.connected_component_subgraphs(graph)\n    return found\n"
        "def biggest(graphs):\n    return graphs[0]\n"
        "each = parts(G)\nresult = biggest(each)",
        "list(result.edges()) == [(0, 1), (1, 2)]",
    ),
    Case(
        "networkx-component-subgraphs",
        GRAPH,
        "result = []\nfor G in nx.connected_component_subgraphs(G):\n    result.append(len(G))",
        "sorted(result) == [2, 3]",
    ),
    Case(
        "networkx-component-subgraphs",
        GRAPH,
        "parts = nx.connected_component_subgraphs(G)\nG = next(parts)\n"
        "result = sorted([len(G), len(next(parts))])",
        "result == [2, 3]",
    ),
    Case(
        "networkx-scipy-sparse-matrix",
        GRAPH,
        "result = nx.to_scipy_sparse_matrix(G, format='csc')",
        "(result * result).format == 'csc' and result[0, 1] == 1",
        then="type(result).__name__",
    ),
    Case(
        "networkx-pandas-dataframe",
        GRAPH + "d = pd.DataFrame({'a': [1, 2], 'b': [2, 3], 'w': [5, 6]})\n",
        "result = nx.from_pandas_dataframe(d, 'a', 'b', ['w'])",
        "result[1][2] == {'w': 5}",
    ),
    Case(
        "networkx-edge-attribute",
        "import networkx as nx\nG = nx.MultiGraph()\nkey = G.add_edge('A', 'B', role='x')\n",
        "result = G.edge['A']['B'][0]['role']",
        "result == 'x'",
    ),
    Case(
        "networkx-node-attribute",
        GRAPH,
        "G.node[0]['colour'] = 'red'",
        "G.nodes[0] == {'colour': 'red'}",
    ),
    Case(
        "networkx-iter-methods",
        GRAPH,
        "result = [n for n in G.nodes_iter()]",
        "result == [0, 1, 2, 4, 5]",
    ),
    Case(
        "networkx-path-methods",
        GRAPH,
        "G.add_path([7, 8, 9])\nresult = list(G.selfloop_edges())",
        "G.has_edge(8, 9) and result == []",
    ),
    Case(
        "networkx-gpickle",
        GRAPH,
        "nx.write_gpickle(G, 'graph.gpickle')\nresult = nx.read_gpickle('graph.gpickle')",
        "list(result) == [0, 1, 2, 4, 5]",
    ),
]

SILENT: list[Case] = []
