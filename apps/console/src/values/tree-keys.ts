import type { Row } from "./tree-rows.ts";

/** What a key does in a tree: selects the line with this id, or opens or closes the active one. Null: nothing. */
export function moveInTree(rows: readonly Row[], at: number, key: string): string | "activate" | null {
	const active = rows[at];
	if (active === undefined) return null;
	switch (key) {
		case "ArrowDown":
			return rows[at + 1]?.id ?? null;
		case "ArrowUp":
			return rows[at - 1]?.id ?? null;
		case "Home":
			return rows[0]?.id ?? null;
		case "End":
			return rows.at(-1)?.id ?? null;
		case "ArrowRight":
			if (active.isOpen === false) return "activate";
			return active.isOpen === true && isInside(rows[at + 1], active) ? (rows[at + 1]?.id ?? null) : null;
		case "ArrowLeft":
			if (active.isOpen === true) return "activate";
			return rows.slice(0, at).findLast(({ level }) => level < active.level)?.id ?? null;
		case "Enter":
		case " ":
			return active.isOpen !== undefined || active.kind === "more" ? "activate" : null;
		default:
			return null;
	}
}

const isInside = (row: Row | undefined, active: Row): boolean =>
	row !== undefined && row.level > active.level;
