import { resolve } from "node:path";
import type { Invocation, Outcome } from "../command.ts";
import { runProgram } from "./program.ts";

export const create = (invocation: Invocation): Promise<Outcome> => call("create", invocation);
export const list = (invocation: Invocation): Promise<Outcome> => call("list", invocation);
export const verify = (invocation: Invocation): Promise<Outcome> => call("verify", invocation);
export const restore = (invocation: Invocation): Promise<Outcome> => call("restore", invocation);

/** The program prints everything itself. */
async function call(action: string, invocation: Invocation): Promise<Outcome> {
	const { flags, positionals, io } = invocation;
	const { backup } = positionals;
	const args = [
		action,
		...(typeof backup === "string" ? [toPath(backup, io.cwd)] : []),
		...(typeof flags.to === "string" ? ["--to", resolve(io.cwd, flags.to)] : []),
		...["move-aside", "json", "quiet"].filter((name) => flags[name] === true).map((name) => `--${name}`),
	];
	return { code: await runProgram(invocation, "backup", { args }), json: undefined, text: "" };
}

/** The program runs in the project's folder. A name without a slash or a dot is that of a backup in BACKUP_TO. */
const toPath = (backup: string, cwd: string): string =>
	/^[\w-]+$/.test(backup) ? backup : resolve(cwd, backup);
