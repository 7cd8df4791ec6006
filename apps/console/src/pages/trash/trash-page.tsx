import { useState } from "react";
import { api } from "../../api/api.ts";
import { resolveDeletion } from "../../api/not-found.ts";
import type { DeletedWorkflow } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { navigate } from "../../router.tsx";
import { buildWorkflowPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Card } from "../../ui/card.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { focusUnlessHeld, rememberFocus } from "../../ui/focus.ts";
import { LoadMore } from "../../ui/load-more.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";
import { Author } from "../workflow/versions/author.tsx";
import { TRASH } from "./texts.ts";
import { TRASH_DAYS } from "./trash-days.ts";

export default function TrashPage() {
	const [text, common] = [useTexts(TRASH), useTexts(COMMON)];
	const deleted = useQuery("deleted-workflows", (signal) => api.deletedWorkflows.list(undefined, signal));
	const [leaving, setLeaving] = useState<DeletedWorkflow | null>(null);
	const more = useAction(async () => {
		const next = await api.deletedWorkflows.list(deleted.data?.next_cursor ?? undefined);
		deleted.set({ ...next, workflows: [...(deleted.data?.workflows ?? []), ...next.workflows] });
	});
	const restore = useAction(async ({ id }: DeletedWorkflow) => {
		const pressed = rememberFocus(document.activeElement);
		const { name } = await api.deletedWorkflows.restore(id);
		drop(id);
		focusUnlessHeld(pressed);
		toast(text.restored(name), {
			action: { label: common.open, run: () => navigate(buildWorkflowPath(name)) },
		});
	});
	const purge = useAction(async ({ id, name }: DeletedWorkflow) => {
		const isPurged = await resolveDeletion(api.deletedWorkflows.purge(id));
		drop(id);
		setLeaving(null);
		toast(isPurged ? text.purged(name) : common.alreadyDeleted);
	});
	return (
		<Page
			title={text.title}
			lead={text.lead(TRASH_DAYS)}
			actions={
				<ButtonLink to="/workflows" icon="left">
					{text.back}
				</ButtonLink>
			}
		>
			{restore.problem !== null && <Problem error={restore.problem} />}
			<Loaded query={deleted} lines={4}>
				{({ workflows, next_cursor }) => (
					<Card isFlush={workflows.length > 0}>
						{workflows.length > 0 && (
							<Table columns={[text.name, text.deleted, text.until]} actions={text.actions}>
								{workflows.map((each) => (
									<tr key={each.id}>
										<th scope="row">
											<bdi>{each.name}</bdi>
										</th>
										<td data-label={text.deleted}>
											<Time at={each.deleted_at} /> <Author of={each} />
										</td>
										<td data-label={text.until}>
											<Time at={each.purged_at} />
										</td>
										<td className="row-actions">
											<Button
												isSmall
												icon="reload"
												aria-label={text.restoreOne(each.name)}
												isBusy={restore.isBusy}
												onClick={() => void restore.run(each)}
											>
												{text.restore}
											</Button>
											<Button
												isSmall
												kind="quiet"
												icon="trash"
												aria-label={text.purgeOne(each.name)}
												title={text.purge}
												onClick={() => setLeaving(each)}
											/>
										</td>
									</tr>
								))}
							</Table>
						)}
						{workflows.length === 0 && next_cursor === null && (
							<Empty icon="trash" title={text.emptyTitle}>
								{text.emptyText(TRASH_DAYS)}
							</Empty>
						)}
						{next_cursor !== null && <LoadMore more={more} />}
					</Card>
				)}
			</Loaded>
			{leaving !== null && (
				<Confirm
					title={text.purgeTitle(leaving.name)}
					verb={text.purge}
					isBusy={purge.isBusy}
					onConfirm={() => void purge.run(leaving)}
					onClose={() => {
						purge.clear();
						setLeaving(null);
					}}
				>
					{purge.problem !== null && <Problem error={purge.problem} />}
					<p>{text.purgeText}</p>
				</Confirm>
			)}
		</Page>
	);

	function drop(id: string): void {
		const now = deleted.data;
		if (now !== undefined) deleted.set({ ...now, workflows: now.workflows.filter((each) => each.id !== id) });
	}
}
