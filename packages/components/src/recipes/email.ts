import { isFileValue } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { EmailTemplate } from "@tripline/contract/recipes";
import { formatText } from "@tripline/engine/expressions/text-size";
import type { Frame } from "@tripline/engine/frame";
import { describeType } from "@tripline/engine/issues";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { FileReference } from "../effects.ts";
import type { Email } from "../outbound/email/message.ts";
import type { Build } from "./template.ts";

const LISTS = ["from", "to", "cc", "bcc", "reply_to"] as const;
const TEXTS = ["subject", "in_reply_to", "references", "text", "html"] as const;

/** An absent parameter omits its field. */
export function compileEmail(
	template: EmailTemplate,
	path: string,
	compile: (value: Json, path: string) => Build,
): (frame: Frame) => Email<FileReference> {
	const fields = new Map(
		Object.entries(template).map(([name, text = ""]) => [name, compile(text, `${path}.${name}`)]),
	);
	const read = (name: keyof EmailTemplate, frame: Frame) => fields.get(name)?.(frame) ?? null;
	return (frame) => {
		const { meter } = frame.roots;
		const toText = (value: Json, name: string) => formatText(value, name, meter);
		const lists = LISTS.flatMap((name) => {
			const value = read(name, frame);
			return value === null ? [] : [[name, toList(value).map((item) => toText(item, name))]];
		});
		const texts = TEXTS.flatMap((name) => {
			const value = read(name, frame);
			return value === null ? [] : [[name, toText(value, name)]];
		});
		return {
			...Object.fromEntries([...lists, ...texts]),
			attachments: toList(read("attachments", frame) ?? []).map(toAttachment),
		};
	};
}

const toList = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);

function toAttachment(value: Json, index: number): FileReference {
	if (isFileValue(value)) return value;
	throw new TerminalError(`attachment ${index + 1} must be a file, but is ${describeType(value)}`);
}
