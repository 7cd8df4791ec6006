import type { EmailTrigger, Trigger } from "@tripline/contract/workflows";
import { type Path, quoteText, type Report } from "../diagnostics.ts";

const KEY = "email";

/** The problems of a trigger that reads a mailbox, besides those of its credential. */
export function checkEmail(
	{ type, event, overlap }: Trigger,
	{ mailbox = "INBOX", from = [], move_to }: EmailTrigger,
	report: Report,
): void {
	const problem = (path: Path, message: string) =>
		report.error("bad_email", message, { path: ["trigger", ...path] });
	if (type !== "event") problem([KEY], `email belongs to a trigger of type event, not ${type}`);
	if (event !== undefined) problem(["event"], "a trigger has either event or email, not both");
	if (overlap === "skip")
		problem(["overlap"], "overlap cannot be skip with email: mails that are skipped would be lost");
	for (const [name, value] of Object.entries({ mailbox, move_to }))
		if (value !== undefined && CONTROL_CHARACTER.test(value))
			problem([KEY, name], `${name} must not contain control characters`);
	if (move_to !== undefined && move_to.toLowerCase() === mailbox.toLowerCase())
		problem([KEY, "move_to"], "move_to must be another mailbox than the one that is read");
	for (const [index, sender] of [from].flat().entries()) {
		report.meter.spend(1);
		if (SENDER.test(sender)) continue;
		const path = Array.isArray(from) ? [KEY, "from", index] : [KEY, "from"];
		problem(
			path,
			`from must be an address such as ada@example.com or a domain such as @example.com, not ${quoteText(sender)}`,
		);
	}
}

const SENDER = /^[^\s@]*@[^\s@]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const CONTROL_CHARACTER = /[\x00-\x1f\x7f]/;
