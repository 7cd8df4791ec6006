import type { SignInState } from "@tripline/contract/credentials";
import type { Invocation, Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";

export async function run({ io }: Invocation): Promise<Outcome> {
	const { credentials } = await createExecutor(io).credentials.list();
	return {
		json: { credentials },
		text: {
			columns: ["credential", "auth recipe", "sign-in", "last used"],
			rows: credentials.map(({ name, auth_recipe, sign_in, last_used_at }) => [
				name,
				auth_recipe,
				describeSignIn(sign_in),
				last_used_at === null ? "never" : formatTime(last_used_at),
			]),
			empty: "there are no credentials",
			...(credentials.some(({ sign_in }) => sign_in?.state === "required") && {
				after: "tripline creds sign-in <name> signs in.",
			}),
		},
	};
}

function describeSignIn(signIn: SignInState | undefined): string {
	if (signIn === undefined) return "-";
	if (signIn.state === "required") return "required";
	return signIn.account === null ? "done" : `done: ${toPrintable(signIn.account)}`;
}
