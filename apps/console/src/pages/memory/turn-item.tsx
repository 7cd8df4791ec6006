import type { Json } from "@tripline/contract/json";
import type { ConversationTurns } from "../../api/types.ts";
import { Link } from "../../router.tsx";
import { buildExecutionPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Time } from "../../ui/time.tsx";
import { toText } from "../executions/conversation/build.ts";
import { Shown } from "../executions/conversation/shown.tsx";
import { MEMORY } from "./texts.ts";

/** A message as an agent keeps it. */
interface Message {
	readonly role: string;
	readonly content?: string;
	readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly arguments?: Json }[];
	readonly tool_call_id?: string;
}

/** What one run was asked, what it called and what it answered. */
export function TurnItem({ of: { at, execution_id, messages } }: { readonly of: Turn }) {
	const text = useTexts(MEMORY);
	const said = messages as unknown as readonly Message[];
	const results = new Map(said.map(({ tool_call_id, content }) => [tool_call_id, content]));
	return (
		<li>
			<p className="soft line">
				<Time at={at} />
				<Link to={buildExecutionPath(execution_id)}>{text.run}</Link>
			</p>
			<ul className="messages">
				{said.map(
					(message, index) =>
						message.role !== "tool" && (
							// biome-ignore lint/suspicious/noArrayIndexKey: a turn does not change.
							<li key={index} className={message.role === "user" ? "message asked" : "message"}>
								<strong>{text.roles[message.role] ?? message.role}</strong>
								{message.content !== undefined && message.content !== "" && (
									<p className="message-text">{message.content}</p>
								)}
								{message.tool_calls !== undefined && <Calls of={message.tool_calls} results={results} />}
							</li>
						),
				)}
			</ul>
		</li>
	);
}

type Turn = ConversationTurns["turns"][number];

function Calls({
	of,
	results,
}: {
	readonly of: NonNullable<Message["tool_calls"]>;
	readonly results: ReadonlyMap<string | undefined, string | undefined>;
}) {
	const text = useTexts(MEMORY);
	return (
		<ul className="tool-calls" aria-label={text.calls}>
			{of.map(({ id, name, arguments: given }) => (
				<li key={id}>
					<code>{name}</code>
					{given !== undefined && <Shown label={text.given}>{toText(given)}</Shown>}
					{results.has(id) && <Shown label={text.result}>{results.get(id) ?? ""}</Shown>}
				</li>
			))}
		</ul>
	);
}
