import { CliProblem } from "../command.ts";
import { findNearest } from "../nearest.ts";
import { buildSettingHint, isSettingName, type SettingName } from "../settings.ts";

/** Words in the names of secrets, to tell a secret from a misspelled setting. */
const SECRET = /token|secret|password|passphrase|api_?key|master_?key|credential/i;

export function parseSettingName(given: string): SettingName {
	if (isSettingName(given)) return given;
	if (SECRET.test(given))
		throw new CliProblem(`${given} is a secret, and secrets are not stored in config files`, {
			code: 2,
			hint: `put ${toVariable(given)}=... into .env (chmod 600 .env) or into the environment; for credentials of workflows: tripline creds push`,
		});
	const command = findNearest(given, ["get", "set", "unset"]);
	throw new CliProblem(`${JSON.stringify(given)} is not a setting`, {
		code: 2,
		hint: command === null ? buildSettingHint(given) : `did you mean: tripline config ${command}`,
	});
}

const toVariable = (given: string): string => given.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
