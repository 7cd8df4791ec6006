import { type Mail, MailProblem } from "@tripline/platform/mail";
import type { RunMail } from "../effects.ts";
import { cleanError } from "../outbound/clean-error.ts";
import { type LoadCredential, UsedCredentials } from "../outbound/used-credentials.ts";
import { toMailServer } from "./server.ts";

/** Types of credentials that log in at a mail server to send. */
export const AUTH_RECIPES: readonly string[] = ["smtp"];

/** Creates `Effects.mail` for one run. Values of the credential are redacted from replies and errors. */
export function createRunMail(mail: Mail, load: LoadCredential): RunMail {
	return {
		async send(credential, draft, signal) {
			const used = new UsedCredentials(load, AUTH_RECIPES);
			try {
				const server = toMailServer(await used.load(credential), "smtp");
				const { accepted, rejected, response } = await mail.send(server, draft, signal);
				const clean = used.redactor();
				const show = (text: string) => clean?.text(text) ?? text;
				return {
					accepted,
					rejected: rejected.map((each) => ({ ...each, response: show(each.response) })),
					response: show(response),
				};
			} catch (error) {
				throw signal.aborted ? signal.reason : cleanError(error, used.redactor(), MailProblem);
			}
		},
	};
}
