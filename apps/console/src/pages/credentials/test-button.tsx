import { api } from "../../api/api.ts";
import { useAction } from "../../api/use-action.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toasts.tsx";
import { CREDENTIALS } from "./texts.ts";

/** Logs in at the credential's database or mail server, and says what happened. */
export function TestButton({ name }: { readonly name: string }) {
	const text = useTexts(CREDENTIALS);
	const test = useAction(async () => {
		const { ok, message } = await api.credentials.test(name);
		toast(ok ? text.testPassed(message) : text.testFailed(message), { isProblem: !ok });
	});
	return (
		<>
			{test.problem !== null && <Problem error={test.problem} />}
			<Button
				isSmall
				isBusy={test.isBusy}
				icon="connect"
				aria-label={text.testOne(name)}
				onClick={() => test.run()}
			>
				{text.test}
			</Button>
		</>
	);
}
