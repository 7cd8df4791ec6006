import type { ReactNode } from "react";
import { useTexts } from "../../texts/texts.ts";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Card } from "../../ui/card.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { getStartText } from "../workflows/starts.ts";
import { OVERVIEW } from "./texts.ts";

const FIRST = "greeting";

interface StepProps {
	readonly title: string;
	readonly lead: string;
	/** Preview of the result. */
	readonly children: ReactNode;
}

function Step({ title, lead, children }: StepProps) {
	return (
		<Card title={title} className="first-step">
			<p className="soft">{lead}</p>
			{children}
		</Card>
	);
}

/** Shown instead of an empty chart if there are no workflows. */
export function FirstWorkflow() {
	const text = useTexts(OVERVIEW);
	return (
		<Step title={text.firstTitle} lead={text.firstText}>
			<Snippet of={getStartText(FIRST, "UTC")} label={text.firstExample} />
			<ButtonLink to={`/new-workflow?from=${FIRST}`} kind="primary" icon="plus">
				{text.firstAction}
			</ButtonLink>
		</Step>
	);
}

/** Shown if there are workflows but no runs. */
export function FirstRun({ children }: { readonly children: ReactNode }) {
	const text = useTexts(OVERVIEW);
	return (
		<div className="stack">
			<Step title={text.noRunsTitle} lead={text.noRunsText}>
				<ButtonLink to="/workflows" kind="primary" icon="run">
					{text.noRunsAction}
				</ButtonLink>
			</Step>
			{children}
		</div>
	);
}

export function FirstAssistant() {
	const text = useTexts(OVERVIEW);
	return (
		<Step title={text.assistantTitle} lead={text.assistantText}>
			<ButtonLink to="/connect" icon="connect">
				{text.assistantAction}
			</ButtonLink>
		</Step>
	);
}
