import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "../../../api/types.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { Issue } from "../../credentials/form-check.ts";
import { describeAt, setField, toObject, toText } from "./draft.ts";
import { JsonField } from "./json-field.tsx";
import { KeyField } from "./key-field.tsx";
import { ParameterRows } from "./parameter-rows.tsx";
import { TextField } from "./text-field.tsx";
import { EDIT } from "./texts.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];

interface Props {
	readonly name: string;
	readonly of: JsonObject;
	/** The names of all operations. */
	readonly taken: readonly string[];
	readonly issues: readonly Issue[];
	/** It was added just now. */
	readonly isNew: boolean;
	onChange(of: JsonObject): void;
	onRename(name: string): void;
	onRemove(): void;
	onWrong(field: string, isWrong: boolean): void;
}

export function OperationForm({
	name,
	of,
	taken,
	issues,
	isNew,
	onChange,
	onRename,
	onRemove,
	onWrong,
}: Props) {
	const text = useTexts(EDIT);
	const at = `operations.${name}`;
	const set = (field: string, value: Json | undefined) => onChange(setField(of, field, value));
	const tell = (field: string) => describeAt(issues, `${at}.${field}`);
	const own = issues.filter(({ path }) => path === at).map(({ message }) => message);
	const hasIssues = describeAt(issues, at) !== null;
	return (
		<details open={isNew || hasIssues || undefined}>
			<summary>
				<Icon name={hasIssues ? "alert" : "right"} />
				<span className="operation-name">
					<span>{toText(of.title) || text.untitled}</span>
					<code>{name}</code>
				</span>
			</summary>
			<div className="operation-body">
				<KeyField
					label={text.operationName}
					name={name}
					taken={taken}
					problem={own.length === 0 ? null : own.join("; ")}
					onRename={onRename}
				/>
				<TextField
					label={text.title}
					value={of.title}
					problem={tell("title")}
					onChange={(to) => set("title", to)}
				/>
				<TextField
					label={text.description}
					isOptional
					value={of.description}
					problem={tell("description")}
					onChange={(to) => set("description", to || undefined)}
				/>
				<div className="method-and-path">
					<Field label={text.method} problem={tell("method")}>
						{(control) => (
							<select
								{...control}
								value={toText(of.method)}
								onChange={(event) => set("method", event.target.value)}
							>
								{METHODS.map((each) => (
									<option key={each}>{each}</option>
								))}
							</select>
						)}
					</Field>
					<TextField
						label={text.path}
						hint={text.pathHint}
						isCode
						value={of.path}
						problem={tell("path")}
						onChange={(to) => set("path", to)}
					/>
				</div>
				<ParameterRows
					schema={toObject(of.params)}
					problem={tell("params")}
					onChange={(to) => set("params", to)}
				/>
				<JsonField
					label={text.query}
					hint={text.queryHint}
					value={of.query}
					problem={tell("query")}
					onChange={(to) => set("query", to)}
					onWrong={onWrong}
				/>
				<BodyFields
					of={of.body}
					problem={tell("body")}
					onChange={(to) => set("body", to)}
					onWrong={onWrong}
				/>
				<JsonField
					label={text.paginate}
					hint={text.paginateHint}
					value={of.paginate}
					problem={tell("paginate")}
					onChange={(to) => set("paginate", to)}
					onWrong={onWrong}
				/>
				<div>
					<Button isSmall kind="quiet" icon="trash" onClick={onRemove}>
						{text.removeOperation}
					</Button>
				</div>
			</div>
		</details>
	);
}

interface BodyProps {
	readonly of: Json | undefined;
	readonly problem: string | null;
	onChange(body: Json | undefined): void;
	onWrong(field: string, isWrong: boolean): void;
}

/** The fields of a body that hold its content. Other kinds are edited as JSON. */
const CONTENT = { json: "value", form: "fields", text: "text" } as const;
const EMPTY = { json: {}, form: {}, text: "" } as const;
const isKind = (kind: string): kind is keyof typeof CONTENT => Object.hasOwn(CONTENT, kind);

function BodyFields({ of, problem, onChange, onWrong }: BodyProps) {
	const text = useTexts(EDIT);
	const body = toObject(of);
	const kind = of === undefined ? "none" : toText(body.kind);
	const kinds = (["none", "json", "form", "text", "file", "email", "multipart"] as const).filter(
		(each) => each === "none" || isKind(each) || each === kind,
	);
	return (
		<>
			<Field label={text.body} problem={isKind(kind) ? null : problem}>
				{(control) => (
					<select {...control} value={kind} onChange={(event) => choose(event.target.value)}>
						{kinds.map((each) => (
							<option key={each} value={each}>
								{text.bodyKinds[each]}
							</option>
						))}
					</select>
				)}
			</Field>
			{kind === "text" && (
				<TextField
					label={text.bodyValue}
					isCode
					value={body.text}
					problem={problem}
					onChange={(to) => onChange({ ...body, text: to })}
				/>
			)}
			{(kind === "json" || kind === "form") && (
				<JsonField
					key={kind}
					label={text.bodyValue}
					value={body[CONTENT[kind]]}
					problem={problem}
					onChange={(to) => onChange(setField(body, CONTENT[kind], to))}
					onWrong={onWrong}
				/>
			)}
			{kind !== "none" && !isKind(kind) && <p className="soft">{text.bodyInJson}</p>}
		</>
	);

	function choose(next: string): void {
		if (isKind(next)) onChange({ kind: next, [CONTENT[next]]: EMPTY[next] });
		else if (next === "none") onChange(undefined);
	}
}
