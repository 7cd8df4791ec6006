import type { McpToolChanges } from "../../api/types.ts";
import type { Action } from "../../api/use-action.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Problem } from "../../ui/problem.tsx";
import { MCP_SERVERS } from "./texts.ts";

type Tool = McpToolChanges["added"][number];

export const hasChanges = ({ added, removed, changed }: McpToolChanges): boolean =>
	added.length + removed.length + changed.length > 0;

interface Props {
	readonly of: McpToolChanges;
	readonly accepting: Action<[string]>;
}

/** What a server offers now, beside what was accepted. Exactly this is accepted. */
export function ToolChanges({ of, accepting }: Props) {
	const text = useTexts(MCP_SERVERS);
	return (
		<Card
			title={text.changesTitle}
			actions={
				<Button kind="primary" icon="check" isBusy={accepting.isBusy} onClick={() => accepting.run(of.hash)}>
					{text.accept}
				</Button>
			}
		>
			<div className="stack">
				{accepting.problem !== null && <Problem error={accepting.problem} />}
				<p className="soft">{text.changesText}</p>
				<Group title={text.newTools} of={of.added} />
				<Group title={text.removedTools} of={of.removed} />
				{of.changed.length > 0 && (
					<section className="stack">
						<h3>{text.changedTools}</h3>
						{of.changed.map(({ before, after }) => (
							<div key={after.name} className="tool-change">
								<p>
									<code>{after.name}</code>
								</p>
								{listDifferent(before, after).map((field) => (
									<div key={field} className="tool-sides">
										<Side title={text.before} value={before[field]} />
										<Side title={text.after} value={after[field]} />
									</div>
								))}
							</div>
						))}
					</section>
				)}
			</div>
		</Card>
	);
}

function Group({ title, of }: { readonly title: string; readonly of: readonly Tool[] }) {
	if (of.length === 0) return null;
	return (
		<section className="stack">
			<h3>{title}</h3>
			<ul className="stack">
				{of.map(({ name, description }) => (
					<li key={name}>
						<code>{name}</code>
						<p className="soft tool-text">{description}</p>
					</li>
				))}
			</ul>
		</section>
	);
}

function Side({ title, value }: { readonly title: string; readonly value: Tool[Field] }) {
	return (
		<figure>
			<figcaption className="soft">{title}</figcaption>
			{/* A description is shown as written: markup could hide a part of it. */}
			<pre>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>
		</figure>
	);
}

const FIELDS = ["title", "description", "input_schema", "output_schema", "annotations"] as const;
type Field = (typeof FIELDS)[number];

const listDifferent = (before: Tool, after: Tool): readonly Field[] =>
	FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
