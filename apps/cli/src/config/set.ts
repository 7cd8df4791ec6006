import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { globalPath, projectPath, resolved, saveSettings } from "../config.ts";
import { isSecret, problemOf, shownValue } from "../setting-value.ts";
import { settingNamed } from "./named.ts";

export async function run({ positionals, flags, io }: Invocation): Promise<Outcome> {
	const name = settingNamed(positionals.name as string);
	const given = (positionals.value as string).trim();
	if (isSecret(given))
		throw new CliProblem("a partner key is a secret, and secrets are not stored in config files", {
			code: 2,
			hint: "put NAMESPACE=... into .env (chmod 600 .env) or into the environment",
		});
	const problem = problemOf(name, given);
	if (problem !== null)
		throw new CliProblem(`${name} ${problem}`, { code: 2, hint: "tripline config set --help has examples" });
	const value = name.endsWith("_url") ? given.replace(/\/+$/, "") : given;
	const path = flags.global === true ? globalPath(io) : projectPath(io);
	const isChanged = saveSettings(path, { [name]: value });
	const { value: winning, layer, from } = resolved(io, name);
	const isHidden = from !== path;
	const lines = [`${name} is ${isChanged ? "now" : "already"} ${value} in ${path}`];
	if (isHidden) lines.push(`but ${from} (${layer}) takes precedence with ${shownValue(winning)}`);
	return {
		json: { name, value, path, changed: isChanged, overridden_by: isHidden ? from : null },
		text: lines.join("\n"),
	};
}
