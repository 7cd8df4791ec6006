import { useMemo, useState } from "react";
import type { Graph, JsonObject } from "../../../api/types.ts";
import type { ListedPin } from "../../../pins/pin-list.tsx";
import { getPinUse, toPinned } from "../../../pins/pin-use.ts";
import type { Pin } from "../../../pins/pins.ts";
import { PINS } from "../../../pins/texts.ts";
import { type Pins, usePins } from "../../../pins/use-pins.ts";
import { useTexts } from "../../../texts/texts.ts";
import { toast } from "../../../ui/toasts.tsx";

export interface DraftPins extends Pick<Pins, "pin" | "moveTo"> {
	readonly list: readonly ListedPin[];
	/** The outputs that a test run takes; null until they are known. */
	readonly pinned: JsonObject | null;
	/** Their nodes. */
	readonly nodes: ReadonlySet<string>;
	/** The one that is open. */
	readonly shown: Pin | null;
	show(node: string | null): void;
	/** Can be undone. */
	unpin(pin: Pin): void;
}

const NONE: readonly never[] = [];

/** The pinned outputs of a draft, by the graph of its text. */
export function useDraftPins(workflow: string | null, graph: Graph | null): DraftPins {
	const text = useTexts(PINS);
	const { all, pin, unpin, moveTo } = usePins(workflow);
	const [shown, show] = useState<string | null>(null);
	const known = useMemo(() => {
		const list = (all ?? NONE).map((each: Pin) => ({ ...each, use: getPinUse(each.node, graph) }));
		const used = list.filter(({ use }) => use === "used");
		return {
			list,
			pinned: all === null ? null : toPinned(used),
			nodes: new Set(used.map(({ node }) => node)),
		};
	}, [all, graph]);
	return {
		...known,
		pin,
		moveTo,
		shown: known.list.find(({ node }) => node === shown) ?? null,
		show,
		unpin({ node, output }) {
			unpin(node);
			toast(text.unpinned(node), { action: { label: text.undo, run: () => pin(node, output) } });
		},
	};
}
