import { useEffect, useRef, useState } from "react";
import { api } from "../../../api/api.ts";
import { isNotFound } from "../../../api/not-found.ts";
import type { ExecutionDetail, JsonObject } from "../../../api/types.ts";
import { useQuery } from "../../../api/use-query.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { RUN_DATA } from "../data/texts.ts";
import { useRunData } from "../data/use-run-data.ts";
import { listAgents } from "./agents.ts";
import { buildConversations, type Conversation, isAnswered, isUnfinished, SYSTEM } from "./build.ts";
import { CONVERSATION } from "./texts.ts";
import { TotalFacts } from "./total-facts.tsx";
import { type Pending, TurnItem } from "./turn-item.tsx";

interface Props {
	readonly detail: ExecutionDetail;
	readonly workflow: string | null;
	readonly isWaiting: boolean;
}

/** What the agents of a run were told and did; while it runs, as far as it is known. */
export default function Conversations({ detail, workflow, isWaiting }: Props) {
	const [text, data] = [useTexts(CONVERSATION), useTexts(RUN_DATA)];
	const { execution_id: id, nodes, status } = detail;
	const isRunning = status === "accepted";
	const written = useWrittenAgents(isRunning ? workflow : null);
	// Without a trace only the data says whether there are agents.
	const mayHaveAgents = isRunning ? written.length > 0 : nodes === null || listAgents(nodes).length > 0;
	const { query, more } = useRunData(mayHaveAgents ? id : null, { only: "agents" });
	useReloadOn(detail, mayHaveAgents ? query.reload : null);
	if (query.data === undefined)
		return isRunning && isNotFound(query.problem) ? <p className="soft">{text.later}</p> : null;
	const { nodes: steps, next_cursor } = query.data;
	const byAgent = Map.groupBy(buildConversations(steps), ({ agent }) => agent);
	const pinned = new Set(nodes?.filter((node) => node.pinned).map((node) => node.id));
	const pending = !isRunning ? null : isWaiting ? "waiting" : "running";
	return (
		<>
			{[...byAgent].map(([agent, of]) => (
				<AgentConversations
					key={agent}
					of={of}
					pinned={pinned}
					pending={pending}
					params={written.find((node) => node.id === agent)?.params ?? null}
				/>
			))}
			{next_cursor !== null && (
				<div className="execution-parts">
					<Button isSmall isBusy={more.isBusy} onClick={() => void more.run()}>
						{data.loadMore}
					</Button>
					{more.problem !== null && <Problem error={more.problem} />}
				</div>
			)}
		</>
	);
}

/** The agents of the workflow as it is saved, for a run that has no trace yet. */
function useWrittenAgents(workflow: string | null) {
	const { data } = useQuery(workflow === null ? null : `agents of ${workflow}`, async (signal) => {
		const { document } = await api.workflows.get(workflow ?? "", signal);
		const nodes = Object.entries(document.config ?? {}).map(([id, params]) => ({
			id,
			// A node without one has the name of its component.
			component: String(params.component ?? id),
			params: params as JsonObject,
		}));
		return listAgents(nodes);
	});
	return data ?? NONE;
}

const NONE: readonly never[] = [];

/** The data is loaded again with the run. */
function useReloadOn(detail: ExecutionDetail, reload: (() => void) | null): void {
	const loaded = useRef(detail);
	useEffect(() => {
		if (loaded.current === detail) return;
		loaded.current = detail;
		reload?.();
	}, [detail, reload]);
}

interface AgentProps {
	/** Those of one agent, at different places. */
	readonly of: readonly Conversation[];
	readonly pinned: ReadonlySet<string>;
	readonly pending: Pending | null;
	/** Of the agent, as they are written. */
	readonly params: JsonObject | null;
}

function AgentConversations({ of, ...shown }: AgentProps) {
	const text = useTexts(CONVERSATION);
	const [place, setPlace] = useState<string | null>(null);
	const chosen = of.find((each) => each.place === place) ?? (of[0] as Conversation);
	return (
		<section className="detail-part conversation" aria-label={text.title(chosen.agent)}>
			<h3>{text.title(chosen.agent)}</h3>
			{of.length > 1 && (
				<Field label={text.element}>
					{(control) => (
						<select {...control} value={chosen.place} onChange={(event) => setPlace(event.target.value)}>
							{of.map((each) => (
								<option key={each.place} value={each.place}>
									{each.place === "" ? text.noPlace : text.place(each.place)}
								</option>
							))}
						</select>
					)}
				</Field>
			)}
			<OneConversation key={chosen.place} of={chosen} {...shown} />
		</section>
	);
}

function OneConversation({
	of,
	pinned,
	pending,
	params,
}: Omit<AgentProps, "of"> & { readonly of: Conversation }) {
	const text = useTexts(CONVERSATION);
	const { asked, turns, ended } = of;
	const first = asked.findIndex(({ role }) => role !== SYSTEM);
	const instructions = first === -1 ? asked : asked.slice(0, first);
	const isAsking = pending !== null && isUnfinished(of) && (turns.at(-1)?.calls ?? []).every(isAnswered);
	return (
		<>
			<TotalFacts of={of} params={params} />
			{instructions.length > 0 && (
				<details className="trace-log">
					<summary>{text.instructions}</summary>
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
					<pre tabIndex={0}>{instructions.map((each) => each.text).join("\n\n")}</pre>
				</details>
			)}
			<ol className="messages">
				{asked.slice(instructions.length).map((message, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: what was asked does not change.
					<li key={index} className="message asked">
						<strong>{text.roles[message.role] ?? message.role}</strong>
						<p className="message-text">{message.text}</p>
					</li>
				))}
				{asked.length === 0 && turns.length > 0 && <li className="soft">{text.notKept}</li>}
				{turns.map((turn, index) => (
					<TurnItem
						key={turn.step.place}
						of={turn}
						number={index + 1}
						agent={of.agent}
						pinned={pinned}
						pending={ended === null ? pending : null}
					/>
				))}
				{isAsking && <li className="soft">{text.asking}</li>}
			</ol>
			{ended?.error !== undefined && <pre className="detail-error">{ended.error}</pre>}
		</>
	);
}
