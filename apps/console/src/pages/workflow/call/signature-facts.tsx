import { describeSigningText, findSigning, renderSigningText } from "@tripline/contract/calling/signings";
import type { WorkflowDetail } from "../../../api/types.ts";
import { Link } from "../../../router.tsx";
import { useTexts } from "../../../texts/texts.ts";
import { CALL } from "./texts.ts";

type Signature = NonNullable<WorkflowDetail["call"]["signature"]>;

/** How a call is signed: scheme, credential, signed text and headers. */
export function SignatureFacts({ of: signature }: { readonly of: Signature }) {
	const text = useTexts(CALL);
	const { scheme, credential } = signature;
	const { signed, headers, isTimed } = findSigning(signature);
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
				{signed !== null && (
					<>
						<dt>{text.signedText}</dt>
						<dd>
							<code>{describeSigningText(signed.text)}</code>
						</dd>
					</>
				)}
				<dt>{text.headers}</dt>
				<dd className="call-headers">
					{headers.map(({ name, value }) => (
						<code key={name}>{`${name}: ${renderSigningText(value)}`}</code>
					))}
				</dd>
			</dl>
			{scheme === "standard-webhooks" && <p className="soft">{text.whsecHint}</p>}
			{scheme === "linear" && <p className="soft">{text.linearHint}</p>}
			{signed === null && <p className="soft">{text.tokenHint}</p>}
			{!isTimed && <p className="soft">{text.noTimestamp}</p>}
		</section>
	);
}
