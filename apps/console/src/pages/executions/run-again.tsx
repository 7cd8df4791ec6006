import { useState } from "react";
import { api } from "../../api/api.ts";
import type { RunResult } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { JsonInput } from "../../inputs/json-input.tsx";
import { parseInput } from "../../inputs/json-text.ts";
import { rememberInput } from "../../inputs/last-inputs.ts";
import { formatDuration } from "../../numbers.ts";
import { Link } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Status } from "../../ui/status.tsx";
import { EXECUTIONS } from "./texts.ts";

interface Props {
	readonly workflow: string;
	buildPath(id: string): string;
}

export function RunAgain({ workflow, buildPath }: Props) {
	const text = useTexts(EXECUTIONS);
	const [input, setInput] = useState("");
	const [result, setResult] = useState<RunResult | null>(null);
	const { value } = parseInput(input);
	const run = useAction(async () => {
		if (value === null) return;
		setResult(null);
		rememberInput(workflow, input);
		setResult(await api.workflows.run(workflow, value));
	});
	return (
		<section className="detail-part">
			<h3>{text.runAgain}</h3>
			<p className="soft">{text.runAgainHint}</p>
			<JsonInput workflow={workflow} value={input} onChange={setInput} rows={4} onSubmit={submit} />
			<div>
				<Button kind="primary" icon="run" isBusy={run.isBusy} disabled={value === null} onClick={submit}>
					{text.run}
				</Button>
			</div>
			{run.problem !== null && <Problem error={run.problem} />}
			<div aria-live="polite">
				{result !== null && <Result result={result} to={buildPath(result.execution_id)} />}
			</div>
		</section>
	);

	function submit(): void {
		if (value !== null && !run.isBusy) void run.run();
	}
}

function Result({ result, to }: { readonly result: RunResult; readonly to: string }) {
	const text = useTexts(EXECUTIONS);
	return (
		<div className="execution-parts">
			<p className="line">
				<strong>{text.result}</strong>
				<Status of={result.success ? "success" : "failed"} />
				<span className="soft numbers">{formatDuration(result.duration_ms)}</span>
				<Link to={to}>{text.openRun}</Link>
			</p>
			<Snippet label={text.result} of={result.error ?? JSON.stringify(result.data, null, 2)} />
		</div>
	);
}
