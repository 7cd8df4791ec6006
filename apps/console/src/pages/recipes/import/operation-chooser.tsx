import { useDeferredValue, useId, useMemo, useState } from "react";
import { api } from "../../../api/api.ts";
import type { DescribedOperations } from "../../../api/types.ts";
import type { Action } from "../../../api/use-action.ts";
import { useQuery } from "../../../api/use-query.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Field } from "../../../ui/field.tsx";
import { hasWords } from "../../../ui/has-words.ts";
import { Icon } from "../../../ui/icon.tsx";
import { NothingFound } from "../../../ui/nothing-found.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { VirtualList } from "../../../ui/virtual-list.tsx";
import { collectFieldProblems } from "../../credentials/form-check.ts";
import { addUpToMost, MAX_OPERATIONS, type Operation, type Selection, toggle } from "./selection.ts";
import { IMPORT } from "./texts.ts";

const ROW_HEIGHT = 58;

interface Props {
	readonly of: DescribedOperations;
	readonly selection: Selection;
	readonly making: Pick<Action<[]>, "isBusy" | "problem">;
	onChange(selection: Selection): void;
	/** Lists deprecated operations too. */
	onDeprecated(): void;
	onPreview(): void;
}

/** The operations of a description, of which the user chooses some. There may be thousands. */
export function OperationChooser({ of, selection, making, onChange, onDeprecated, onPreview }: Props) {
	const text = useTexts(IMPORT);
	const [q, setQ] = useState("");
	const asked = useDeferredValue(q);
	const found = useMemo(
		() =>
			of.operations.filter(({ id, title, method, path, tag }) =>
				hasWords(`${id} ${title} ${method} ${path} ${tag ?? ""}`, asked),
			),
		[of, asked],
	);
	const { ids } = selection;
	const setIds = (next: ReadonlySet<string>) => onChange({ ...selection, ids: next });
	if (of.operations.length === 0 && of.deprecated === 0)
		return <Empty icon="search" title={text.noOperations} />;
	return (
		<>
			<Card title={text.operations(of.title)} isFlush>
				<div className="import-tools">
					<div className="search-box">
						<Icon name="search" />
						<input
							type="search"
							aria-label={text.search}
							placeholder={text.search}
							value={q}
							onChange={(event) => setQ(event.target.value)}
						/>
					</div>
					<Button
						isSmall
						disabled={found.length === 0 || ids.size >= MAX_OPERATIONS}
						onClick={() => setIds(addUpToMost(ids, found))}
					>
						{text.selectShown}
					</Button>
					<Button isSmall kind="quiet" disabled={ids.size === 0} onClick={() => setIds(new Set())}>
						{text.clear}
					</Button>
					{of.deprecated > 0 && (
						<Button isSmall kind="quiet" onClick={onDeprecated}>
							{text.deprecated(of.deprecated)}
						</Button>
					)}
					<p className="soft" role="status">
						{text.found(found.length, of.operations.length)} · {text.selected(ids.size, MAX_OPERATIONS)}
					</p>
				</div>
				{found.length === 0 ? (
					<NothingFound title={text.noneFound} onShowAll={() => setQ("")} />
				) : (
					<VirtualList
						className="import-operations"
						items={found}
						rowHeight={ROW_HEIGHT}
						label={text.list}
						getKey={({ method, path }) => `${method} ${path}`}
						row={(operation) => (
							<Row
								of={operation}
								isChosen={ids.has(operation.id)}
								isFull={ids.size >= MAX_OPERATIONS}
								onToggle={() => setIds(toggle(ids, operation.id))}
							/>
						)}
					/>
				)}
			</Card>
			<Details of={of} selection={selection} making={making} onChange={onChange} onPreview={onPreview} />
		</>
	);
}

interface RowProps {
	readonly of: Operation;
	readonly isChosen: boolean;
	readonly isFull: boolean;
	onToggle(): void;
}

function Row({ of, isChosen, isFull, onToggle }: RowProps) {
	const text = useTexts(IMPORT);
	const id = useId();
	return (
		<div className="import-operation">
			<input
				id={id}
				type="checkbox"
				checked={isChosen}
				disabled={isFull && !isChosen}
				aria-describedby={`${id}-request`}
				onChange={onToggle}
			/>
			<label htmlFor={id}>{of.title}</label>
			<span id={`${id}-request`} className="soft">
				<code>
					{of.method} {of.path}
				</code>
			</span>
			<span className="import-marks">
				{of.deprecated && <Badge tone="warn">{text.isDeprecated}</Badge>}
				{of.problems.length > 0 && (
					<span title={of.problems.join("\n")}>
						<Badge tone="warn">{text.lacks(of.problems.length)}</Badge>
					</span>
				)}
				{of.tag !== null && <Badge>{of.tag}</Badge>}
			</span>
		</div>
	);
}

function Details({ of, selection, making, onChange, onPreview }: Omit<Props, "onDeprecated">) {
	const text = useTexts(IMPORT);
	const recipes = useQuery("recipes", api.recipes.list);
	const told = collectFieldProblems(making.problem, ["server", "id"]);
	const { server, name, ids } = selection;
	const isReplaced = recipes.data?.some(({ id, source }) => id === name.trim() && source === "own");
	return (
		<Card title={text.recipe}>
			<form
				className="stack"
				noValidate
				onSubmit={(event) => {
					event.preventDefault();
					onPreview();
				}}
			>
				<Field
					label={text.server}
					{...(of.servers.length === 0 && { hint: text.serverHint })}
					problem={told.fields.server ?? null}
				>
					{(control) =>
						of.servers.length > 1 ? (
							<select
								{...control}
								value={server}
								onChange={(event) => onChange({ ...selection, server: event.target.value })}
							>
								{of.servers.map((each) => (
									<option key={each}>{each}</option>
								))}
							</select>
						) : (
							<input
								{...control}
								type="url"
								value={server}
								autoComplete="off"
								spellCheck={false}
								onChange={(event) => onChange({ ...selection, server: event.target.value })}
							/>
						)
					}
				</Field>
				<Field
					label={text.name}
					hint={isReplaced === true ? text.replaces(name.trim()) : text.nameHint}
					isOptional
					problem={told.fields.id ?? null}
				>
					{(control) => (
						<input
							{...control}
							value={name}
							autoComplete="off"
							autoCapitalize="off"
							spellCheck={false}
							onChange={(event) => onChange({ ...selection, name: event.target.value })}
						/>
					)}
				</Field>
				{told.form !== null && <Problem error={told.form} />}
				<div>
					<Button kind="primary" type="submit" disabled={ids.size === 0} isBusy={making.isBusy}>
						{text.preview}
					</Button>
				</div>
			</form>
		</Card>
	);
}
