import { useTexts } from "../../../texts/texts.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { Mark } from "./comparison.ts";
import { MARK_ICONS } from "./mark-icons.ts";
import { VERSIONS } from "./texts.ts";

interface Props {
	/** Null if the graphs cannot be compared. */
	readonly of: ReadonlyMap<string, Mark> | null;
	onShowNode(id: string): void;
}

/** The nodes that a comparison marks on the graph. */
export function ChangedNodes({ of, onShowNode }: Props) {
	const text = useTexts(VERSIONS);
	if (of === null) return <p className="soft">{text.unreadable}</p>;
	if (of.size === 0) return <p className="soft">{text.noNodes}</p>;
	return (
		<ul className="changed-nodes" aria-label={text.nodes}>
			{[...of].map(([id, mark]) => (
				<li key={id}>
					<button type="button" className={mark} onClick={() => onShowNode(id)}>
						<Icon name={MARK_ICONS[mark]} size={12} />
						{text.marks[mark]} <code>{id}</code>
					</button>
				</li>
			))}
		</ul>
	);
}
