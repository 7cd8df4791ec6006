import type { WorkflowDetail } from "../../../api/types.ts";
import { safeLink } from "../../../safe-link.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Snippet } from "../../../ui/copy.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { TRIGGER } from "./trigger-texts.ts";

/** The page on which people fill in the workflow's form. */
export function FormAddress({ of: { form_url, auth } }: { readonly of: WorkflowDetail["call"] }) {
	const text = useTexts(TRIGGER);
	if (form_url === null) return null;
	const link = safeLink(form_url);
	return (
		<section>
			<h2>{text.form}</h2>
			<p className="soft">{auth === null ? text.formText : text.formAuthText}</p>
			<Snippet of={form_url} label={text.form} />
			{link !== null && (
				<p>
					<a className="button plain" href={link} target="_blank" rel="noopener noreferrer">
						<Icon name="external" />
						{text.openForm}
					</a>
				</p>
			)}
		</section>
	);
}
