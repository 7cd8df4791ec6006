import type { SignInState } from "@tripline/contract/credentials";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";
import { openBrowser } from "./open-browser.ts";
import { createUnknownProblem } from "./unknown.ts";

const LOOK_AGAIN_MS = 2_000;
/** The link is valid for ten minutes, and so is the sign-in that it starts. */
const MAX_WAIT_MS = 20 * 60_000;

export async function run({ positionals, flags, io, progress }: Invocation): Promise<Outcome> {
	const executor = createExecutor(io);
	const name = positionals.name as string;
	const before = await findState(executor, name);
	const link = await executor.credentials.signIn(name);
	if (link === null) throw createUnknownProblem(name);
	if (flags["no-wait"] === true) return { json: { name, ...link }, text: `${toPrintable(link.url)}\n` };
	io.err(`Open this link in a browser:\n${toPrintable(link.url)}\n`);
	if (flags.open === true && !(await openBrowser(link.url))) io.err("No browser could be opened here.\n");
	progress("waiting until you have signed in");
	const until = io.now() + MAX_WAIT_MS;
	while (io.now() < until) {
		await io.wait(LOOK_AGAIN_MS);
		const state = await findState(executor, name);
		if (state === undefined) throw new CliProblem(`the credential ${JSON.stringify(name)} was deleted`);
		if (state.state === "done" && state.signed_in_at !== before?.signed_in_at)
			return { json: { name, sign_in: state }, text: describeDone(name, state) };
	}
	throw new CliProblem("nobody has signed in", { hint: `tripline creds sign-in ${name} gives a new link` });
}

async function findState(executor: TenantExecutor, name: string): Promise<SignInState | undefined> {
	const { credentials } = await executor.credentials.list();
	return credentials.find((credential) => credential.name === name)?.sign_in;
}

const describeDone = (name: string, { account }: SignInState): string =>
	`${toPrintable(name)} is signed in${account === null ? "" : ` as ${toPrintable(account)}`}\n`;
