import { useTexts } from "../../texts/texts.ts";
import { Field } from "../../ui/field.tsx";
import { parseMetadata } from "./metadata.ts";
import { KNOWLEDGE } from "./texts.ts";

interface Props {
	readonly content: string;
	readonly metadata: string;
	onContent(content: string): void;
	onMetadata(metadata: string): void;
}

/** The fields that every entry has. */
export function EntryFields({ content, metadata, onContent, onMetadata }: Props) {
	const text = useTexts(KNOWLEDGE);
	const checked = parseMetadata(metadata);
	const problem =
		checked.kind === "not-json"
			? text.notJson(checked.why)
			: checked.kind === "not-object"
				? text.notObject
				: null;
	return (
		<>
			<Field label={text.content}>
				{(control) => (
					<textarea
						{...control}
						className="entry-text"
						rows={14}
						value={content}
						onChange={(event) => onContent(event.currentTarget.value)}
					/>
				)}
			</Field>
			<Field label={text.metadataField} hint={text.metadataHint} problem={problem}>
				{(control) => (
					<textarea
						{...control}
						rows={Math.min(12, metadata.split("\n").length + 1)}
						spellCheck={false}
						value={metadata}
						onChange={(event) => onMetadata(event.currentTarget.value)}
					/>
				)}
			</Field>
		</>
	);
}
