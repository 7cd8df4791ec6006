import { Link } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { START_IDS, type Start } from "./starts.ts";
import { WORKFLOWS } from "./texts.ts";

const ICONS: Readonly<Record<Start, IconName>> = { greeting: "edit", schedule: "clock", loop: "reload" };

/** Three examples, shown while there are no workflows. */
export function StartingPoints() {
	const text = useTexts(WORKFLOWS);
	return (
		<div className="card">
			<Empty icon="workflow" title={text.emptyTitle}>
				{text.emptyText}
			</Empty>
			<ul className="starts">
				{START_IDS.map((id) => (
					<li key={id}>
						<Link to={`/new-workflow?from=${id}`}>
							<Icon name={ICONS[id]} size={20} />
							<strong>{text.examples[id].title}</strong>
							<span className="soft">{text.examples[id].text}</span>
							<span className="starts-go">
								{text.useExample} <Icon name="right" size={14} />
							</span>
						</Link>
					</li>
				))}
			</ul>
		</div>
	);
}
