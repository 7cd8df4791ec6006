import type { FileField } from "@tripline/contract/file-values";
import { useRef } from "react";
import { api } from "../api/api.ts";
import type { FileValue, JsonObject } from "../api/types.ts";
import { useAction } from "../api/use-action.ts";
import { useTexts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { COMMON } from "../ui/common-texts.ts";
import { Problem } from "../ui/problem.tsx";
import { readField, toFileValue, writeField } from "./file-fields.ts";
import { FileItem } from "./file-item.tsx";
import { FILES } from "./texts.ts";

interface Props {
	readonly field: FileField;
	/** Null while the text of the input is not valid. */
	readonly input: JsonObject | null;
	/** Called with a function, because the input may change during an upload. */
	onChange(change: (input: JsonObject) => JsonObject): void;
}

/** Lets the user choose files for a field of the input. They are uploaded at once, and the input gets their values. */
export function FileChooser({ field, input, onChange }: Props) {
	const [text, common] = [useTexts(FILES), useTexts(COMMON)];
	const control = useRef<HTMLInputElement>(null);
	const upload = useAction(async (chosen: readonly File[]) => {
		const sent: FileValue[] = [];
		for (const file of chosen) sent.push(toFileValue(await api.files.upload(file)));
		onChange((now) => writeField(now, field, field.isList ? [...readField(now, field), ...sent] : sent));
	});
	const files = input === null ? [] : readField(input, field);
	return (
		<fieldset className="file-chooser">
			<legend className="file-label">
				{field.title ?? field.name} {!field.isRequired && <span className="soft">{common.optional}</span>}
			</legend>
			{files.length > 0 && (
				<ul>
					{files.map((file) => (
						<li key={file.$file}>
							<FileItem file={file} />
							<Button
								isSmall
								kind="quiet"
								icon="cross"
								aria-label={text.removeOne(file.name)}
								onClick={() =>
									onChange((now) =>
										writeField(
											now,
											field,
											readField(now, field).filter(({ $file }) => $file !== file.$file),
										),
									)
								}
							/>
						</li>
					))}
				</ul>
			)}
			<input
				ref={control}
				type="file"
				hidden
				aria-label={field.title ?? field.name}
				multiple={field.isList}
				accept={field.accept ?? undefined}
				onChange={(event) => {
					const chosen = [...(event.currentTarget.files ?? [])];
					// Choosing the same file again must be a change too.
					event.currentTarget.value = "";
					if (chosen.length > 0) void upload.run(chosen);
				}}
			/>
			<Button
				isSmall
				icon="upload"
				isBusy={upload.isBusy}
				disabled={input === null}
				onClick={() => control.current?.click()}
			>
				{upload.isBusy ? text.uploading : field.isList ? text.chooseMany : text.choose}
			</Button>
			{upload.problem !== null && <Problem error={upload.problem} />}
		</fieldset>
	);
}
