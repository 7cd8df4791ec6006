import type { PublishedStorage } from "../storage/published.ts";
import type { StatisticsStorage } from "../storage/statistics.ts";
import type { SubmissionStorage } from "../storage/submissions.ts";
import type { Review } from "../submissions/review.ts";
import type { Submit } from "../submissions/submit.ts";
import type { Access } from "./access.ts";

/** The dependencies of the registry's route handlers. */
export interface RegistryParts {
	readonly access: Access;
	readonly published: PublishedStorage;
	readonly submissions: SubmissionStorage;
	readonly statistics: StatisticsStorage;
	readonly submit: Submit;
	readonly review: Review;
}
