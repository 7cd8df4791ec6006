import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { resolved, SETTINGS } from "../config.ts";
import { shownValue } from "../setting-value.ts";
import { settingNamed } from "./named.ts";

export async function run({ positionals, flags, io }: Invocation): Promise<Outcome> {
	const name = settingNamed(positionals.name as string);
	const { value, layer, from } = resolved(io, name);
	if (value === null)
		throw new CliProblem(`${name} is not set`, {
			hint: `set ${SETTINGS[name].variable}, or run: tripline config set ${name} <value>`,
		});
	const shown = shownValue(value);
	const source = from === null ? "the default" : `${layer}: ${from}`;
	return {
		json: { name, value: shown, layer, from },
		text: flags.where === true ? `${shown}\n  ${source}` : shown,
	};
}
