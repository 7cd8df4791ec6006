import { type FormEvent, useState } from "react";
import { api } from "../../api/api.ts";
import type { ApiOperation, JsonObject, RunResult } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatDuration } from "../../numbers.ts";
import { Link } from "../../router.tsx";
import { buildExecutionPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Status } from "../../ui/status.tsx";
import { CredentialField } from "../credentials/credential-field.tsx";
import { type AnswerProblem, listAnswerFields, readAnswer } from "../inbox/answer-fields.ts";
import { AnswerControl } from "../inbox/answer-form.tsx";
import { INBOX } from "../inbox/texts.ts";
import { JsonTree } from "../workflow/run/json-tree.tsx";
import { RECIPES } from "./texts.ts";

interface Props {
	/** Of the component. */
	readonly id: string;
	readonly of: ApiOperation;
	/** Ids of the auth recipes. */
	readonly auth: readonly string[];
	onClose(): void;
}

/** Runs an operation once with parameters that are typed here. */
export function TryDialog({ id, of, auth, onClose }: Props) {
	const [text, inbox] = [useTexts(RECIPES), useTexts(INBOX)];
	const [filled, setFilled] = useState<Readonly<Record<string, string>>>({});
	const [chosen, setChosen] = useState<string | null>(null);
	const credentials = useQuery(auth.length === 0 ? null : "credentials", api.credentials.list);
	const fitting = credentials.data?.find(({ auth_recipe }) => auth.includes(auth_recipe));
	const credential = chosen ?? fitting?.name ?? "";
	const [problems, setProblems] = useState<ReadonlyMap<string, AnswerProblem>>(new Map());
	const [result, setResult] = useState<RunResult | null>(null);
	const running = useAction(async (params: JsonObject) => {
		setResult(null);
		setResult(await api.components.test(id, { params, ...(credential !== "" && { credential }) }));
	});
	const fields = listAnswerFields(of.params);
	return (
		<Dialog title={text.tryTitle(of.title)} onClose={onClose} className="try-dialog">
			<form className="stack" noValidate onSubmit={submit}>
				{auth.length > 0 && (
					<CredentialField auth={auth} label={of.title} chosen={credential} onChoose={setChosen} />
				)}
				{fields.map((field) => {
					const problem = problems.get(field.key);
					return (
						<AnswerControl
							key={field.key}
							field={field}
							value={filled[field.key] ?? field.preset}
							problem={problem === undefined ? null : inbox.problems[problem]}
							onChange={(value) => setFilled((before) => ({ ...before, [field.key]: value }))}
						/>
					);
				})}
				<p className="soft">{text.tryHint}</p>
				<div>
					<Button kind="primary" type="submit" icon="run" isBusy={running.isBusy}>
						{text.run}
					</Button>
				</div>
			</form>
			{running.problem !== null && <Problem error={running.problem} />}
			{result !== null && <Outcome of={result} />}
		</Dialog>
	);

	function submit(event: FormEvent): void {
		event.preventDefault();
		// A box that nobody has touched is no parameter.
		const sent = fields.filter(
			({ kind, key, isRequired }) => kind !== "boolean" || isRequired || filled[key] !== undefined,
		);
		const read = readAnswer(sent, filled);
		setProblems(read.problems);
		if (read.problems.size === 0) void running.run(read.answer);
	}
}

function Outcome({ of }: { readonly of: RunResult }) {
	const text = useTexts(RECIPES);
	return (
		<section className="stack" aria-label={text.result}>
			<p className="line" role="status">
				<Status of={of.success ? "success" : "failed"} /> {formatDuration(of.duration_ms)}
				<Link to={buildExecutionPath(of.execution_id)}>{text.showRun}</Link>
			</p>
			{of.success ? <JsonTree value={of.data} /> : <p className="field-problem">{of.error}</p>}
		</section>
	);
}
