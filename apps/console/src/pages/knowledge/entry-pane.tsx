import { useRef, useState } from "react";
import { api } from "../../api/api.ts";
import { resolveDeletion } from "../../api/not-found.ts";
import type { Entry } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { hasKeptWork } from "../../session/unsaved-work.ts";
import { buildNodePath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { focusFirst, focusUnlessHeld } from "../../ui/focus.ts";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import { EDITED, EditEntry } from "./edit-entry.tsx";
import { EntryBody } from "./entry-body.tsx";
import { KNOWLEDGE } from "./texts.ts";

interface Props {
	readonly id: string;
	onSaved(entry: Entry): void;
	onDeleted(): void;
}

export function EntryPane({ id, onSaved, onDeleted }: Props) {
	const query = useQuery(`entry ${id}`, (signal) => api.entries.get(id, signal));
	const [isEditing, setEditing] = useState(() => hasKeptWork(EDITED));
	const article = useRef<HTMLElement>(null);
	return (
		<Loaded query={query} lines={8} missing={isEditing ? undefined : <Missing />}>
			{(entry) => (
				<article ref={article} className="entry" aria-labelledby="entry-title">
					<EntryHead
						entry={entry}
						isEditing={isEditing}
						onEdit={() => setEditing(true)}
						onDeleted={onDeleted}
					/>
					{isEditing ? (
						<EditEntry
							entry={entry}
							onClose={() => {
								setEditing(false);
								focusUnlessHeld(() => focusFirst(article.current));
							}}
							onNow={(now) => {
								query.set(now);
								onSaved(now);
							}}
						/>
					) : (
						<EntryBody entry={entry} />
					)}
				</article>
			)}
		</Loaded>
	);
}

function Missing() {
	const text = useTexts(KNOWLEDGE);
	const action = <ButtonLink to="/knowledge">{text.showAll}</ButtonLink>;
	return (
		<Empty icon="knowledge" title={text.missingTitle} action={action}>
			{text.missingText}
		</Empty>
	);
}

/** Entries that only ingest may write, because it also writes their lookups. */
const isIngested = ({ entry_type }: Entry): boolean => entry_type === "triplet" || entry_type === "entity";

interface HeadProps {
	readonly entry: Entry;
	readonly isEditing: boolean;
	onEdit(): void;
	onDeleted(): void;
}

function EntryHead({ entry, isEditing, onEdit, onDeleted }: HeadProps) {
	const text = useTexts(KNOWLEDGE);
	const common = useTexts(COMMON);
	const [isAsked, setAsked] = useState(false);
	const deletion = useAction(async () => {
		toast((await resolveDeletion(api.entries.delete(entry.id))) ? text.deleted : common.alreadyDeleted);
		onDeleted();
	});
	const isReadOnly = isIngested(entry);
	return (
		<header className="entry-head">
			<div className="entry-name">
				<h2 id="entry-title">{entry.page_name}</h2>
				<Badge>{entry.entry_type}</Badge>
			</div>
			<p className="soft entry-times">
				<span>
					{text.created} <Time at={entry.created_at * 1000} />
				</span>
				{entry.updated_at !== entry.created_at && (
					<span>
						{text.updated} <Time at={entry.updated_at * 1000} />
					</span>
				)}
			</p>
			{!isEditing && (
				<div className="actions">
					{!isReadOnly && (
						<Button isSmall icon="edit" onClick={onEdit}>
							{text.edit}
						</Button>
					)}
					<ButtonLink to={buildNodePath(entry.page_name)} isSmall icon="graph">
						{text.showInGraph}
					</ButtonLink>
					{!isReadOnly && (
						<Button isSmall kind="quiet" icon="trash" onClick={() => setAsked(true)}>
							{common.delete}
						</Button>
					)}
				</div>
			)}
			{isReadOnly && (
				<p className="soft entry-note">
					<Icon name="info" />
					{text.readOnly}
				</p>
			)}
			{isAsked && (
				<Confirm
					title={text.deleteTitle(entry.page_name)}
					verb={common.delete}
					isBusy={deletion.isBusy}
					onConfirm={() => deletion.run()}
					onClose={() => {
						deletion.clear();
						setAsked(false);
					}}
				>
					<p>{text.deleteLead}</p>
					{deletion.problem !== null && <Problem error={deletion.problem} />}
				</Confirm>
			)}
		</header>
	);
}
