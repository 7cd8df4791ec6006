import type { WorkflowDetail } from "../../../api/types.ts";
import { Link } from "../../../router.tsx";
import { useTexts } from "../../../texts/texts.ts";
import { describeSignedText, SIGNINGS } from "./curl.ts";
import { CALL } from "./texts.ts";

type Signature = NonNullable<WorkflowDetail["call"]["signature"]>;

/** How a call is signed: scheme, credential, signed text and headers. */
export function SignatureFacts({ of: { scheme, credential } }: { readonly of: Signature }) {
	const text = useTexts(CALL);
	const { args, headers } = SIGNINGS[scheme];
	return (
		<section>
			<h2>{text.signature}</h2>
			<p className="soft">{text.signatureText(scheme)}</p>
			<dl className="facts">
				<dt>{text.scheme}</dt>
				<dd>
					<code>{scheme}</code>
				</dd>
				<dt>{text.credential}</dt>
				<dd>
					<Link to="/credentials">{credential}</Link>
				</dd>
				<dt>{text.signedText}</dt>
				<dd>
					<code>{describeSignedText(scheme)}</code>
				</dd>
				<dt>{text.headers}</dt>
				<dd className="call-headers">
					{headers.map((header) => (
						<code key={header}>{header}</code>
					))}
				</dd>
			</dl>
			{scheme === "standard-webhooks" && <p className="soft">{text.whsecHint}</p>}
			{!args.includes("$NOW") && <p className="soft">{text.noTimestamp}</p>}
		</section>
	);
}
