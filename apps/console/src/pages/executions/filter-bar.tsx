import { useEffect, useState } from "react";
import { api } from "../../api/api.ts";
import { useQuery } from "../../api/use-query.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type Filter, fromLocalTime, RANGES, toLocalTime } from "./filter.ts";
import { EXECUTIONS } from "./texts.ts";

const TYPING_MS = 300;
type Changes = Readonly<Record<string, string | null>>;

interface Props {
	readonly filter: Filter;
	onChange(changes: Changes): void;
}

export function FilterBar({ filter, onChange }: Props) {
	const text = useTexts(EXECUTIONS);
	const common = useTexts(COMMON);
	const [isOpen, setOpen] = useState(false);
	return (
		<search className={isOpen ? "filters open" : "filters"} aria-label={text.filters}>
			<Words q={filter.q} onChange={(q) => onChange({ q })} />
			<Button
				className="filters-more"
				icon="settings"
				aria-expanded={isOpen}
				aria-label={text.filters}
				onClick={() => setOpen(!isOpen)}
			/>
			<WorkflowChoice chosen={filter.workflow} onChange={(workflow) => onChange({ workflow })} />
			<Field label={text.status}>
				{(control) => (
					<select
						{...control}
						value={filter.verdict}
						onChange={(event) => onChange({ verdict: event.target.value })}
					>
						<option value="">{text.allStatuses}</option>
						<option value="success">{common.succeeded}</option>
						<option value="failed">{common.failed}</option>
					</select>
				)}
			</Field>
			<Field label={text.time}>
				{(control) => (
					<select
						{...control}
						value={filter.range}
						onChange={(event) => onChange({ range: event.target.value, since: null, until: null })}
					>
						<option value="">{text.anyTime}</option>
						{Object.keys(RANGES).map((each) => (
							<option key={each} value={each}>
								{text.ranges[each as keyof typeof RANGES]}
							</option>
						))}
						<option value="exact">{text.customRange}</option>
					</select>
				)}
			</Field>
			{filter.range === "exact" && (
				<>
					<Moment label={text.from} iso={filter.since} onChange={(since) => onChange({ since })} />
					<Moment label={text.to} iso={filter.until} onChange={(until) => onChange({ until })} />
				</>
			)}
		</search>
	);
}

/** Search field. The address is updated when typing pauses. */
function Words({ q, onChange }: { readonly q: string; onChange(q: string): void }) {
	const text = useTexts(EXECUTIONS);
	const [typed, setTyped] = useState(q);
	useEffect(() => setTyped(q), [q]);
	useEffect(() => {
		if (typed === q) return;
		const timer = setTimeout(() => onChange(typed), TYPING_MS);
		return () => clearTimeout(timer);
	}, [typed, q, onChange]);
	return (
		<div className="search-box filters-text">
			<Icon name="search" />
			<input
				type="search"
				aria-label={text.search}
				placeholder={text.search}
				maxLength={200}
				value={typed}
				onChange={(event) => setTyped(event.target.value)}
				onKeyDown={(event) => event.key === "Enter" && onChange(typed)}
			/>
		</div>
	);
}

function WorkflowChoice({ chosen, onChange }: { readonly chosen: string; onChange(name: string): void }) {
	const text = useTexts(EXECUTIONS);
	const { data = [] } = useQuery("workflows", api.workflows.list);
	const names = data.map(({ name }) => name);
	// A deleted workflow may still have records.
	const choices = chosen === "" || names.includes(chosen) ? names : [chosen, ...names];
	return (
		<Field label={text.workflow}>
			{(control) => (
				<select {...control} value={chosen} onChange={(event) => onChange(event.target.value)}>
					<option value="">{text.allWorkflows}</option>
					{choices.map((name) => (
						<option key={name} value={name}>
							{name}
						</option>
					))}
				</select>
			)}
		</Field>
	);
}

interface MomentProps {
	readonly label: string;
	readonly iso: string;
	onChange(iso: string): void;
}

/** A date and time field in the user's time zone. */
function Moment({ label, iso, onChange }: MomentProps) {
	return (
		<Field label={label}>
			{(control) => (
				<input
					{...control}
					type="datetime-local"
					value={toLocalTime(iso)}
					onChange={(event) => onChange(fromLocalTime(event.target.value))}
				/>
			)}
		</Field>
	);
}
