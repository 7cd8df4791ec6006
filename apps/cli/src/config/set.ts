import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { globalPath, projectPath, resolveSetting, saveSettings } from "../config.ts";
import { findValueProblem, isSecret, maskValue } from "../settings.ts";
import { parseSettingName } from "./setting-name.ts";

export async function run({ positionals, flags, io }: Invocation): Promise<Outcome> {
	const name = parseSettingName(positionals.name as string);
	const given = (positionals.value as string).trim();
	if (isSecret(given))
		throw new CliProblem("a partner key is a secret, and secrets are not stored in config files", {
			code: 2,
			hint: "put NAMESPACE=... into .env (chmod 600 .env) or into the environment",
		});
	const problem = findValueProblem(name, given);
	if (problem !== null)
		throw new CliProblem(`${name} ${problem}`, { code: 2, hint: "tripline config set --help has examples" });
	const value = name.endsWith("_url") ? given.replace(/\/+$/, "") : given;
	const path = flags.global === true ? globalPath(io) : projectPath(io);
	const isChanged = saveSettings(path, { [name]: value });
	const { value: winning, layer, from } = resolveSetting(io, name);
	const isHidden = from !== path;
	const lines = [`${name} is ${isChanged ? "now" : "already"} ${value} in ${path}`];
	if (isHidden) lines.push(`but ${from} (${layer}) takes precedence with ${maskValue(winning)}`);
	return {
		json: { name, value, path, changed: isChanged, overridden_by: isHidden ? from : null },
		text: lines.join("\n"),
	};
}
