import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { resolveSetting } from "../config.ts";
import { maskValue, SETTINGS } from "../settings.ts";
import { parseSettingName } from "./setting-name.ts";

export async function run({ positionals, flags, io }: Invocation): Promise<Outcome> {
	const name = parseSettingName(positionals.name as string);
	const { value, layer, from } = resolveSetting(io, name);
	if (value === null)
		throw new CliProblem(`${name} is not set`, {
			hint: `set ${SETTINGS[name].variable}, or run: tripline config set ${name} <value>`,
		});
	const shown = maskValue(value);
	const source = from === null ? "the default" : `${layer}: ${from}`;
	return {
		json: { name, value: shown, layer, from },
		text: flags.where === true ? `${shown}\n  ${source}` : shown,
	};
}
