import type { Side, Version, WorkflowDraft } from "../../../api/types.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Time } from "../../../ui/time.tsx";
import { Author } from "./author.tsx";
import { VERSIONS } from "./texts.ts";

interface Props {
	readonly versions: readonly Version[];
	readonly draft: WorkflowDraft | null;
	/** The present name of the workflow. */
	readonly name: string;
	readonly current: number;
	readonly chosen: Side | null;
	onChoose(side: Side): void;
}

export function VersionList({ versions, draft, name, current, chosen, onChoose }: Props) {
	const text = useTexts(VERSIONS);
	return (
		<ul aria-label={text.list}>
			{draft !== null && (
				<li>
					<button type="button" aria-pressed={chosen === "draft"} onClick={() => onChoose("draft")}>
						<span className="line">
							<strong>{text.draft}</strong>
						</span>
						<Time at={draft.saved_at} />
						<Author of={draft} />
					</button>
				</li>
			)}
			{versions.map((version) => (
				<li key={version.number}>
					<button
						type="button"
						aria-pressed={chosen === version.number}
						onClick={() => onChoose(version.number)}
					>
						<span className="line">
							<strong className="numbers">{text.version(version.number)}</strong>
							{version.number === current && <Badge tone="good">{text.current}</Badge>}
						</span>
						<Time at={version.created_at} />
						<Author of={version} />
						{version.name !== name && <span className="soft">{text.named(version.name)}</span>}
					</button>
				</li>
			))}
		</ul>
	);
}
