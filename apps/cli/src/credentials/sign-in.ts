import type { Invocation, Outcome } from "../command.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";
import { createUnknownProblem } from "./unknown.ts";
import { describeSignedIn, findSignIn, waitForSignIn } from "./wait-for-sign-in.ts";

export async function run(invocation: Invocation): Promise<Outcome> {
	const executor = createExecutor(invocation.io);
	const name = invocation.positionals.name as string;
	const before = await findSignIn(executor, name);
	const link = await executor.credentials.signIn(name);
	if (link === null) throw createUnknownProblem(name);
	if (invocation.flags["no-wait"] === true)
		return { json: { name, ...link }, text: `${toPrintable(link.url)}\n` };
	const state = await waitForSignIn(invocation, executor, {
		...{ credential: name, url: link.url, before },
		again: `tripline creds sign-in ${name}`,
	});
	return { json: { name, sign_in: state }, text: describeSignedIn(name, state) };
}
