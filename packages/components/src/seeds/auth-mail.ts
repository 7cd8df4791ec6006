import type { AuthRecipe } from "@tripline/contract/recipes";
import { open, secret } from "./auth-fields.ts";

/** The login at a mail server; each credential names its server. */
const login = (protocol: "smtp" | "imap", title: string, host: string): AuthRecipe => ({
	id: protocol,
	title,
	type: "mail",
	fields: [
		open("host", host),
		{ ...open("user", "The user, often the mail address; omitted if there is no login"), optional: true },
		{ ...secret("password", "The user's password, or an app password"), optional: true },
		{
			...open("tls", "off for a server without TLS on a private network; by default TLS is verified"),
			optional: true,
		},
		{
			...open("ca", "The certificate of the server's own authority (PEM), if it is not a public one"),
			optional: true,
		},
	],
	hosts: ["{host}"],
	inject: { protocol, user: "{user}", password: "{password}", tls: "{tls}", ca: "{ca}" },
});

export const mailAuth: readonly AuthRecipe[] = [
	login(
		"smtp",
		"Mail server (SMTP)",
		"The server, with its port unless that is 587 (STARTTLS): mail.example.com or mail.example.com:465 (TLS from the start)",
	),
	login(
		"imap",
		"Mailbox (IMAP)",
		"The server, with its port unless that is 993 (TLS from the start): imap.example.com or imap.example.com:143 (STARTTLS)",
	),
];
