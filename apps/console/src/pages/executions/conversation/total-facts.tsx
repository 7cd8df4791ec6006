import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "../../../api/types.ts";
import { formatNumber } from "../../../numbers.ts";
import { useTexts } from "../../../texts/texts.ts";
import { type Conversation, readField, readJson } from "./build.ts";
import { CONVERSATION } from "./texts.ts";
import { formatTook } from "./turn-item.tsx";

interface Props {
	readonly of: Conversation;
	/** As they are written; those that it ran with are preferred. */
	readonly params: JsonObject | null;
}

const DEFAULT_MAX_STEPS = 10;

/** What an agent has used, and of which budgets. */
export function TotalFacts({ of: { totals, ended }, params }: Props) {
	const text = useTexts(CONVERSATION);
	const given = readJson(ended?.input) ?? params;
	const { modelCalls, toolCalls, input, output, cost, time } = totals;
	const readLimit = (name: string) => {
		const limit: Json | undefined = readField(given ?? undefined, name);
		return typeof limit === "number" ? limit : null;
	};
	const ofLimit = (used: string, limit: string | null) => (limit === null ? used : text.budget(used, limit));
	const [maxTokens, maxCost, maxSeconds] = [
		readLimit("max_tokens"),
		readLimit("max_cost"),
		readLimit("max_seconds"),
	];
	const maxSteps = given === null ? null : (readLimit("max_steps") ?? DEFAULT_MAX_STEPS);
	const facts: (readonly [label: string, value: string])[] = [
		[
			text.totals.modelCalls,
			ofLimit(formatNumber(modelCalls), maxSteps === null ? null : formatNumber(maxSteps)),
		],
		[text.totals.toolCalls, formatNumber(toolCalls)],
	];
	if (input !== null && output !== null) {
		const total = ofLimit(formatNumber(input + output), maxTokens === null ? null : formatNumber(maxTokens));
		facts.push([text.totals.tokens, text.split(total, formatNumber(input), formatNumber(output))]);
	}
	if (cost !== null)
		facts.push([
			text.totals.cost,
			ofLimit(formatNumber(cost), maxCost === null ? null : formatNumber(maxCost)),
		]);
	facts.push([
		text.totals.time,
		ofLimit(formatTook(time), maxSeconds === null ? null : formatTook(maxSeconds * 1000)),
	]);
	return (
		<dl className="facts">
			{facts.map(([label, value]) => (
				<div key={label} className="fact">
					<dt>{label}</dt>
					<dd className="numbers">{value}</dd>
				</div>
			))}
		</dl>
	);
}
