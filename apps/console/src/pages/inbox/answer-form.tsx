import { type FormEvent, useState } from "react";
import { api } from "../../api/api.ts";
import { isConflict } from "../../api/conflict.ts";
import { isNotFound } from "../../api/not-found.ts";
import type { OpenQuestion } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { type AnswerField, type AnswerProblem, listAnswerFields, readAnswer } from "./answer-fields.ts";
import { INBOX } from "./texts.ts";

interface Props {
	readonly question: OpenQuestion;
	onAnswered(): void;
	/** The question can no longer be answered. */
	onEnded(): void;
}

export function AnswerForm({ question, onAnswered, onEnded }: Props) {
	const text = useTexts(INBOX);
	const [filled, setFilled] = useState<Readonly<Record<string, string>>>({});
	const [problems, setProblems] = useState<ReadonlyMap<string, AnswerProblem>>(new Map());
	const fields = listAnswerFields(question.fields);
	const send = useAction(async (answer: OpenQuestion["fields"]) => {
		try {
			await api.questions.answer(question, answer);
		} catch (error) {
			if (!isConflict(error) && !isNotFound(error as Error)) throw error;
			onEnded();
			return;
		}
		onAnswered();
	});
	const issues = listIssues(send.problem);
	return (
		<form className="answer-form" noValidate onSubmit={submit}>
			{fields.map((field) => {
				const problem = problems.get(field.key);
				return (
					<AnswerControl
						key={field.key}
						field={field}
						value={filled[field.key] ?? field.preset}
						problem={problem === undefined ? null : text.problems[problem]}
						onChange={(value) => setFilled((before) => ({ ...before, [field.key]: value }))}
					/>
				);
			})}
			{send.problem !== null && issues.length === 0 && <Problem error={send.problem} />}
			{issues.length > 0 && (
				<div className="problem" role="alert">
					<div>
						<p>{text.notFitting}</p>
						<ul>
							{issues.map((issue) => (
								<li key={issue}>{issue}</li>
							))}
						</ul>
					</div>
				</div>
			)}
			<Button kind="primary" type="submit" isBusy={send.isBusy}>
				{text.send}
			</Button>
		</form>
	);

	function submit(event: FormEvent<HTMLFormElement>): void {
		event.preventDefault();
		const read = readAnswer(fields, filled);
		setProblems(read.problems);
		if (read.problems.size === 0) {
			void send.run(read.answer);
			return;
		}
		const form = event.currentTarget;
		setTimeout(() => form.querySelector<HTMLElement>("[aria-invalid]")?.focus());
	}
}

/** What the service finds wrong with the answer. */
function listIssues(error: Error | null): string[] {
	const { status, answer } = (error ?? {}) as { status?: number; answer?: { issues?: unknown } };
	if (status !== 422 || !Array.isArray(answer?.issues)) return [];
	return (answer.issues as { path?: string; message?: string }[]).map(({ path, message }) =>
		[path, message].filter(Boolean).join(": "),
	);
}

interface ControlProps {
	readonly field: AnswerField;
	readonly value: string;
	readonly problem: string | null;
	onChange(value: string): void;
}

/** The control of one field, made of its schema. */
export function AnswerControl({ field, value, problem, onChange }: ControlProps) {
	const text = useTexts(INBOX);
	const { label, help, isRequired, kind } = field;
	if (kind === "boolean")
		return (
			<label className="answer-check">
				<input
					type="checkbox"
					checked={value === "true"}
					onChange={(event) => onChange(event.target.checked ? "true" : "")}
				/>
				<span>
					{label}
					{help !== undefined && <span className="soft"> {help}</span>}
				</span>
			</label>
		);
	const hint = help ?? (kind === "json" ? text.jsonHint : undefined);
	return (
		<Field label={label} isOptional={!isRequired} problem={problem} {...(hint !== undefined && { hint })}>
			{(described) => {
				const control = {
					...described,
					value,
					onChange: (event: { target: { value: string } }) => onChange(event.target.value),
				};
				switch (kind) {
					case "choice":
						return (
							<select {...control}>
								<option value="">{text.choose}</option>
								{field.options.map((option) => (
									<option key={option.text} value={option.text}>
										{option.label}
									</option>
								))}
							</select>
						);
					case "long_text":
					case "json":
						return <textarea rows={3} {...control} />;
					case "number":
						return <input inputMode="decimal" {...control} />;
					case "date_time":
						return <input type="datetime-local" {...control} />;
					default:
						return <input type={field.kind === "text" ? field.input : "text"} {...control} />;
				}
			}}
		</Field>
	);
}
