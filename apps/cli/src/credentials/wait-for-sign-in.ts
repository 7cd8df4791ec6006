import type { SignInState } from "@tripline/contract/credentials";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation } from "../command.ts";
import { toPrintable } from "../printable.ts";
import { openBrowser } from "./open-browser.ts";

const LOOK_AGAIN_MS = 2_000;
/** The link is valid for ten minutes, and so is the sign-in that it starts. */
const MAX_WAIT_MS = 20 * 60_000;

/** Shows the link and returns once the owner has signed in with it. */
export async function waitForSignIn(
	{ flags, io, progress }: Pick<Invocation, "flags" | "io" | "progress">,
	executor: TenantExecutor,
	expected: {
		readonly credential: string;
		readonly url: string;
		/** Before the link was made. */
		readonly before: SignInState | undefined;
		/** The command that makes another link. */
		readonly again: string;
	},
): Promise<SignInState> {
	const { credential, url, before } = expected;
	io.err(`Open this link in a browser:\n${toPrintable(url)}\n`);
	if (flags.open === true && !(await openBrowser(url))) io.err("No browser could be opened here.\n");
	progress("waiting until you have signed in");
	const until = io.now() + MAX_WAIT_MS;
	while (io.now() < until) {
		await io.wait(LOOK_AGAIN_MS);
		const state = await findSignIn(executor, credential);
		if (state === undefined) throw new CliProblem(`the credential ${JSON.stringify(credential)} was deleted`);
		if (state.state === "done" && state.signed_in_at !== before?.signed_in_at) return state;
	}
	throw new CliProblem("nobody has signed in", { hint: `${expected.again} gives a new link` });
}

export async function findSignIn(executor: TenantExecutor, name: string): Promise<SignInState | undefined> {
	const { credentials } = await executor.credentials.list();
	return credentials.find((credential) => credential.name === name)?.sign_in;
}

export const describeSignedIn = (name: string, { account }: SignInState): string =>
	`${toPrintable(name)} is signed in${account === null ? "" : ` as ${toPrintable(account)}`}\n`;
