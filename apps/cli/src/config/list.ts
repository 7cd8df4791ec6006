import type { Invocation, Outcome } from "../command.ts";
import { resolved, settingNames } from "../config.ts";
import { problemOf, shownValue } from "../setting-value.ts";
import { run as get } from "./get.ts";

export async function run(invocation: Invocation): Promise<Outcome> {
	const { positionals, flags, io } = invocation;
	if (positionals.name !== undefined) return get(invocation);
	const settings = settingNames.map((name) => ({ name, ...resolved(io, name) }));
	const problems = settings.flatMap(({ name, value, from }) => {
		const problem = value === null ? null : problemOf(name, value);
		return problem === null ? [] : [`${name} ${problem}: correct ${from}`];
	});
	return {
		json: Object.fromEntries(
			settings.map(({ name, value, layer, from }) => [
				name,
				{ value: value === null ? null : shownValue(value), layer, from },
			]),
		),
		text: {
			columns: ["setting", "value", "layer", ...(flags.where === true ? ["from"] : [])],
			rows: settings.map(({ name, value, layer, from }) => [
				name,
				value === null ? "(not set)" : shownValue(value),
				value === null ? "" : layer,
				...(flags.where === true ? [from ?? ""] : []),
			]),
			empty: "",
			...(problems.length === 0 ? {} : { after: problems.join("\n") }),
		},
	};
}
