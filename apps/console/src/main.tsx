import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { waitForEarlyAnswers } from "./api/early.ts";
import { App } from "./shell/app.tsx";
import { getLanguage } from "./texts/texts.ts";

/** A wait this short is not noticeable. */
const MAX_EARLY_WAIT_MS = 100;

document.documentElement.lang = getLanguage();
const root = document.getElementById("app");
await waitForEarlyAnswers(MAX_EARLY_WAIT_MS);
if (root !== null)
	createRoot(root).render(
		<StrictMode>
			<App />
		</StrictMode>,
	);
