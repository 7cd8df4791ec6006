import { useTexts } from "../../texts/texts.ts";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Empty } from "../../ui/empty.tsx";
import { COMPONENTS } from "./texts.ts";

interface Props {
	readonly id: string;
	readonly why: string;
	/** Path of the list to go back to. */
	readonly to: string;
	readonly list: string;
}

export function Missing({ id, why, to, list }: Props) {
	const text = useTexts(COMPONENTS);
	return (
		<Empty icon="search" title={text.missingTitle(id)} action={<ButtonLink to={to}>{list}</ButtonLink>}>
			{why}
		</Empty>
	);
}
