import type { JsonObject } from "../../../api/types.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { pickFreeKey, renameKey, setField, toObject, toText } from "./draft.ts";
import { KeyField } from "./key-field.tsx";
import { EDIT } from "./texts.ts";

const TYPES = ["string", "integer", "number", "boolean", "array", "object"];

interface Props {
	/** JSON Schema of an object. What the rows do not show is kept. */
	readonly schema: JsonObject;
	readonly problem: string | null;
	onChange(schema: JsonObject): void;
}

/** The parameters of an operation. */
export function ParameterRows({ schema, problem, onChange }: Props) {
	const text = useTexts(EDIT);
	const properties = toObject(schema.properties);
	const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
	const names = Object.keys(properties);
	const setRequired = (of: JsonObject, list: readonly string[]) =>
		setField(of, "required", list.length === 0 ? undefined : [...list]);
	return (
		<fieldset className="parameter-rows">
			<legend>{text.parameters}</legend>
			{problem !== null && <p className="field-problem">{problem}</p>}
			{names.map((name, index) => {
				const parameter = toObject(properties[name]);
				const set = (field: string, value: string | undefined) =>
					onChange({ ...schema, properties: { ...properties, [name]: setField(parameter, field, value) } });
				const type = toText(parameter.type);
				return (
					// biome-ignore lint/suspicious/noArrayIndexKey: a parameter keeps its place when it is renamed.
					<div key={`${index} ${names.length}`} className="parameter-row">
						<KeyField
							label={text.parameter}
							name={name}
							taken={names}
							onRename={(to) =>
								onChange(
									setRequired(
										{ ...schema, properties: renameKey(properties, name, to) },
										required.map((each) => (each === name ? to : each)),
									),
								)
							}
						/>
						<Field label={text.type}>
							{(control) => (
								<select
									{...control}
									value={TYPES.includes(type) ? type : ""}
									onChange={(event) => set("type", event.target.value)}
								>
									{!TYPES.includes(type) && <option value="">{text.otherType}</option>}
									{TYPES.map((each) => (
										<option key={each}>{each}</option>
									))}
								</select>
							)}
						</Field>
						<Field label={text.description}>
							{(control) => (
								<input
									{...control}
									value={toText(parameter.description)}
									onChange={(event) => set("description", event.target.value || undefined)}
								/>
							)}
						</Field>
						<label className="line parameter-required">
							<input
								type="checkbox"
								checked={required.includes(name)}
								onChange={() =>
									onChange(
										setRequired(
											schema,
											required.includes(name)
												? required.filter((each) => each !== name)
												: [...required, name],
										),
									)
								}
							/>
							{text.required}
						</label>
						<Button
							kind="quiet"
							icon="cross"
							aria-label={text.removeParameter(name)}
							onClick={() =>
								onChange(
									setRequired(
										{ ...schema, properties: setField(properties, name, undefined) },
										required.filter((each) => each !== name),
									),
								)
							}
						/>
					</div>
				);
			})}
			<div>
				<Button
					isSmall
					icon="plus"
					onClick={() =>
						onChange({
							type: "object",
							...schema,
							properties: { ...properties, [pickFreeKey(properties, "parameter")]: { type: "string" } },
						})
					}
				>
					{text.addParameter}
				</Button>
			</div>
		</fieldset>
	);
}
