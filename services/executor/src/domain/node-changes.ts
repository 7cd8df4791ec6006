import type { Graph } from "@tripline/contract/workflows";

interface NodeChanges {
	readonly added: string[];
	readonly removed: string[];
	readonly changed: string[];
}

/** Nodes by their ids. One whose incoming edges differ has changed too: it runs at another time. */
export function compareNodes(from: Graph, to: Graph): NodeChanges {
	const before = collectNodes(from);
	const after = collectNodes(to);
	return {
		added: [...after.keys()].filter((id) => !before.has(id)),
		removed: [...before.keys()].filter((id) => !after.has(id)),
		changed: [...after.keys()].filter((id) => before.has(id) && !isSame(before.get(id), after.get(id))),
	};
}

function collectNodes({ nodes, edges }: Graph): Map<string, unknown> {
	const incoming = Map.groupBy(edges, ({ to }) => to);
	return new Map(nodes.map((node) => [node.id, [node, incoming.get(node.id)]]));
}

/** Whether two JSON values are the same, in whatever order their members are. */
function isSame(one: unknown, other: unknown): boolean {
	if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
		return one === other;
	if (Array.isArray(one) || Array.isArray(other)) {
		if (!Array.isArray(one) || !Array.isArray(other)) return false;
		return one.length === other.length && one.every((value, at) => isSame(value, other[at]));
	}
	const names = Object.keys(one);
	return (
		names.length === Object.keys(other).length &&
		names.every(
			(name) => Object.hasOwn(other, name) && isSame((one as Members)[name], (other as Members)[name]),
		)
	);
}

type Members = Readonly<Record<string, unknown>>;
