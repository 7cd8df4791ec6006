import type { Invocation, Outcome } from "../command.ts";
import { resolveSetting } from "../config.ts";
import { findValueProblem, maskValue, settingNames } from "../settings.ts";
import { run as get } from "./get.ts";

export async function run(invocation: Invocation): Promise<Outcome> {
	const { positionals, flags, io } = invocation;
	if (positionals.name !== undefined) return get(invocation);
	const settings = settingNames.map((name) => ({ name, ...resolveSetting(io, name) }));
	const problems = settings.flatMap(({ name, value, from }) => {
		const problem = value === null ? null : findValueProblem(name, value);
		return problem === null ? [] : [`${name} ${problem}: correct ${from}`];
	});
	return {
		json: Object.fromEntries(
			settings.map(({ name, value, layer, from }) => [
				name,
				{ value: value === null ? null : maskValue(value), layer, from },
			]),
		),
		text: {
			columns: ["setting", "value", "layer", ...(flags.where === true ? ["from"] : [])],
			rows: settings.map(({ name, value, layer, from }) => [
				name,
				value === null ? "(not set)" : maskValue(value),
				value === null ? "" : layer,
				...(flags.where === true ? [from ?? ""] : []),
			]),
			empty: "",
			...(problems.length === 0 ? {} : { after: problems.join("\n") }),
		},
	};
}
