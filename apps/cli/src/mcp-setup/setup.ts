import { join, relative } from "node:path";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { requireSetting } from "../config.ts";
import type { Io } from "../io.ts";
import { findProjectFolder } from "../project.ts";
import { putServer } from "./project-file.ts";
import { hasPassed, renderVerification, type Verification, verify } from "./verification.ts";

const FILE = ".mcp.json";
const CHECK = "to check that a client can connect: tripline mcp-setup --verify";

export async function run({ flags, io, progress }: Invocation): Promise<Outcome> {
	const origin = new URL(requireSetting(io, "mcp_url")).origin;
	const url = `${origin}/mcp`;
	const variable = parseVariable(flags["static-token-env"] as string | undefined);
	const path = join(findProjectFolder(io), FILE);
	const shown = relative(io.cwd, path);
	const isChanged = putServer(path, shown, {
		type: "http",
		url,
		...(variable === undefined ? {} : { headers: { Authorization: `Bearer \${${variable}}` } }),
	});
	const written = `${isChanged ? "wrote" : "nothing to change in"} ${shown}: tripline is ${url}`;
	const json = { file: shown, url, changed: isChanged };
	if (flags.verify !== true) return { json, text: `${written}\n${describeNextStep(variable, io)}\n${CHECK}` };
	progress(`${written}\nconnecting to ${origin} as a client does...`);
	const verification = await verify(io, origin);
	return {
		code: hasPassed(verification) ? 0 : 1,
		json: { ...json, ok: hasPassed(verification), ...verification },
		text: renderResult(verification, variable, io),
	};
}

const renderResult = (verification: Verification, variable: string | undefined, io: Io): string =>
	[
		renderVerification(verification, io),
		"",
		hasPassed(verification)
			? describeNextStep(variable, io)
			: "fix what is wrong, then run again: tripline mcp-setup --verify",
	].join("\n");

function describeNextStep(variable: string | undefined, io: Io): string {
	const folder = findProjectFolder(io) === io.cwd ? "this folder" : findProjectFolder(io);
	return variable === undefined
		? `next: open your assistant in ${folder}, and log in with the owner secret when it asks`
		: `next: set ${variable} where your assistant starts, and open it in ${folder}`;
}

/** Only the name of a variable is accepted: a token would end up in a file of the project. */
function parseVariable(given: string | undefined): string | undefined {
	if (given === undefined || /^[A-Z_][A-Z0-9_]{0,63}$/.test(given)) return given;
	throw new CliProblem("--static-token-env takes the name of an environment variable, not a token", {
		code: 2,
		hint: "for example: tripline mcp-setup --static-token-env MCP_STATIC_TOKEN",
	});
}
