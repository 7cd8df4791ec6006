import type { KeptValue } from "../api/types.ts";
import { formatBytes } from "../numbers.ts";
import { useTexts } from "../texts/texts.ts";
import { CopyButton } from "../ui/copy.tsx";
import { Icon } from "../ui/icon.tsx";
import { Marked } from "./marked.tsx";
import { VALUES } from "./texts.ts";
import { ValueTree } from "./value-tree.tsx";

export type View = "tree" | "raw";

interface Props {
	readonly of: KeptValue;
	readonly label: string;
	readonly root: string | null;
	readonly view: View;
	readonly query: string;
}

/** A kept value. What was cut is shown as text, with its size. */
export function KeptValueView({ of, label, root, view, query }: Props) {
	const text = useTexts(VALUES);
	if ("bytes" in of) {
		const kept = new TextEncoder().encode(of.text).length;
		return (
			<>
				<p className="value-note">
					<Icon name="info" size={14} />
					{kept === 0
						? text.isLeftOut(formatBytes(of.bytes))
						: text.isCut(formatBytes(kept), formatBytes(of.bytes))}
				</p>
				{kept > 0 && <RawText text={of.text} label={label} query={query} />}
			</>
		);
	}
	if (view === "tree") return <ValueTree value={of.json} label={label} root={root} query={query} />;
	return <RawText text={JSON.stringify(of.json, null, 2)} label={label} query={query} />;
}

function RawText({
	text,
	label,
	query,
}: {
	readonly text: string;
	readonly label: string;
	readonly query: string;
}) {
	return (
		<div className="value-raw">
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
			<section tabIndex={0} aria-label={label}>
				<pre>
					<Marked text={text} query={query} />
				</pre>
			</section>
			<CopyButton of={text} />
		</div>
	);
}
