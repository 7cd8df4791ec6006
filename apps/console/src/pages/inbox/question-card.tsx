import type { Json } from "@tripline/contract/json";
import type { OpenQuestion } from "../../api/types.ts";
import { Link } from "../../router.tsx";
import { buildExecutionPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Time } from "../../ui/time.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { INBOX } from "./texts.ts";

interface Props {
	readonly question: OpenQuestion;
	/** The form is shown. */
	readonly isChosen: boolean;
	/** It can no longer be answered. */
	readonly hasEnded: boolean;
	onChoose(): void;
	onAnswered(): void;
	onEnded(): void;
	onRemove(): void;
}

export function QuestionCard({
	question,
	isChosen,
	hasEnded,
	onChoose,
	onAnswered,
	onEnded,
	onRemove,
}: Props) {
	const text = useTexts(INBOX);
	const { workflow, show, to, asked_at, expires_at, execution_id } = question;
	return (
		<li>
			<Card title={<bdi>{workflow}</bdi>} className="question">
				<Prose of={question.question} />
				<dl className="facts">
					{Object.entries(show).map(([name, value]) => (
						<div key={name}>
							<dt>{name}</dt>
							<dd className="question-value">{toText(value)}</dd>
						</div>
					))}
					{to !== null && (
						<div>
							<dt>{text.to}</dt>
							<dd>{to}</dd>
						</div>
					)}
					<div>
						<dt>{text.since}</dt>
						<dd>
							<Time at={asked_at} />
						</dd>
					</div>
					<div>
						<dt>{text.until}</dt>
						<dd>
							<Time at={expires_at} />
						</dd>
					</div>
					<div>
						<dt>{text.run}</dt>
						<dd>
							<Link to={buildExecutionPath(execution_id)}>
								<code>{execution_id}</code>
							</Link>
						</dd>
					</div>
				</dl>
				{hasEnded ? (
					<div className="question-ended" role="alert">
						<p>{text.ended}</p>
						<Button isSmall onClick={onRemove}>
							{text.remove}
						</Button>
					</div>
				) : isChosen ? (
					<AnswerForm question={question} onAnswered={onAnswered} onEnded={onEnded} />
				) : (
					<Button aria-label={text.answerOne(workflow)} onClick={onChoose}>
						{text.answer}
					</Button>
				)}
			</Card>
		</li>
	);
}

const toText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value, null, 1));
