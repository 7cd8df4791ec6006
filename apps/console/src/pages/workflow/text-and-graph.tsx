import { type ReactNode, useSyncExternalStore } from "react";
import { useTexts } from "../../texts/texts.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { Split } from "./split.tsx";
import { WORKFLOW } from "./texts.ts";

export type View = "text" | "graph";

const wide = matchMedia("(min-width: 64rem)");
const isWide = () => wide.matches;
function onWide(listener: () => void): () => void {
	wide.addEventListener("change", listener);
	return () => wide.removeEventListener("change", listener);
}

interface Props {
	readonly view: View;
	onView(view: View): void;
	readonly text: ReactNode;
	readonly graph: ReactNode;
}

/** Text and graph side by side, or one of them on small screens. */
export function TextAndGraph({ view, onView, text, graph }: Props) {
	const words = useTexts(WORKFLOW);
	if (useSyncExternalStore(onWide, isWide))
		return <Split label={words.divider} first={text} second={graph} />;
	return (
		<Tabs
			label={words.views}
			chosen={view}
			onChoose={onView}
			tabs={[
				{ id: "text", label: words.textTab },
				{ id: "graph", label: words.graphTab },
			]}
		>
			{view === "text" ? text : graph}
		</Tabs>
	);
}
