import { useState } from "react";
import { api } from "../../api/api.ts";
import type { VerifyReport } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Problem } from "../../ui/problem.tsx";
import { CONNECT } from "./texts.ts";

export function VerifyCard() {
	const text = useTexts(CONNECT);
	const [report, setReport] = useState<VerifyReport | null>(null);
	const verifying = useAction(async () => setReport(await api.verify()));
	return (
		<Card
			title={text.verifyTitle}
			actions={
				<Button icon="check" isBusy={verifying.isBusy} onClick={() => verifying.run()}>
					{report === null ? text.verify : text.verifyAgain}
				</Button>
			}
		>
			<div className="stack" aria-live="polite">
				{verifying.problem !== null && <Problem error={verifying.problem} retry={() => verifying.run()} />}
				{report === null ? <p className="soft">{text.verifyText}</p> : <Report report={report} />}
			</div>
		</Card>
	);
}

function Report({ report }: { readonly report: VerifyReport }) {
	const text = useTexts(CONNECT);
	const failed = report.checks.filter(({ ok }) => !ok).length;
	return (
		<>
			<p className="line">
				<Badge tone={failed === 0 ? "good" : "bad"}>
					{failed === 0 ? text.allChecksPassed : text.checksFailed(failed)}
				</Badge>
				<span className="soft">{report.origin}</span>
			</p>
			<Lines
				label={text.checks}
				of={report.checks.map(({ ok, ...check }) => ({
					...check,
					tone: ok ? "good" : "bad",
					word: ok ? text.passed : text.failed,
				}))}
			/>
			<h3>{text.acceptance}</h3>
			<Lines
				label={text.acceptance}
				of={report.clients.map(({ accepted, ...client }) => ({
					...client,
					message: null,
					tone: accepted ? "good" : "warn",
					word: accepted ? text.accepted : text.refused,
				}))}
			/>
		</>
	);
}

interface Line {
	readonly id: string;
	readonly title: string;
	readonly tone: Tone;
	readonly word: string;
	readonly message: string | null;
	readonly fix: string | null;
}

function Lines({ label, of }: { readonly label: string; readonly of: readonly Line[] }) {
	return (
		<ul className="checks" aria-label={label}>
			{of.map(({ id, title, tone, word, message, fix }) => (
				<li key={id}>
					<Badge tone={tone}>{word}</Badge>
					<div>
						<p>{title}</p>
						{message !== null && <p className="soft">{message}</p>}
						{fix !== null && <p className="fix">{fix}</p>}
					</div>
				</li>
			))}
		</ul>
	);
}
