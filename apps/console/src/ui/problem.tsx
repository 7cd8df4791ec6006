import { NotReached } from "../api/call.ts";
import { useTexts } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { COMMON } from "./common-texts.ts";
import { Icon } from "./icon.tsx";

/** An error message with a retry button. */
export function Problem({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
	const text = useTexts(COMMON);
	return (
		<div className="problem" role="alert">
			<Icon name="alert" />
			<p>{error instanceof NotReached ? text.notResponding : error.message || text.somethingWrong}</p>
			{retry !== undefined && (
				<Button isSmall icon="reload" onClick={retry}>
					{text.retry}
				</Button>
			)}
		</div>
	);
}
