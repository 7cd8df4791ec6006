import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, text } from "../schema-words.ts";
import { answer, object, orNull, params } from "./schema.ts";

const headers = { "idempotency-key": "{{params.idempotency_key}}" };
const idempotency_key = text(
	"Idempotency key, such as the run's id: a repeated request takes effect only once",
	{
		maxLength: 255,
	},
);
const metadata = object("Custom text values by name");
const amount = integer("In the smallest unit, such as cents", { minimum: 1 });
const currency = text("Three lower-case letters, such as eur");
const money = { amount: integer("In the smallest unit; negative for a debt"), currency };
const paging = {
	limit: integer("Maximum number of results", { minimum: 1, maximum: 100, default: 10 }),
	starting_after: text("The last id of the previous page"),
};
const pages = {
	by: "cursor",
	last: "id",
	more: "has_more",
	param: "starting_after",
	items: "data",
} as const;
const page = (items: Parameters<typeof list>[0], description: string) =>
	answer({ data: list(items, description), has_more: flag("Whether there are more") });

const customer = answer({
	id: text("Its id, starts with cus_"),
	email: orNull(text("E-mail address")),
	name: orNull(text("Name")),
	created: integer("Creation time in seconds since 1970"),
	metadata,
});
const paymentIntent = answer({
	id: text("Its id, starts with pi_"),
	...money,
	status: text("Such as requires_payment_method or succeeded"),
	client_secret: orNull(text("For the payment page only")),
});

export const stripe: ApiRecipe = {
	id: "stripe",
	category: "sales",
	title: "Stripe",
	description: "Customers, payments, checkout pages and refunds of a Stripe account.",
	auth: "stripe_key",
	base_url: "https://api.stripe.com/v1",
	docs_url: "https://docs.stripe.com/api",
	operations: {
		create_customer: {
			title: "Create a customer",
			method: "POST",
			path: "/customers",
			params: params(
				{},
				{
					email: text("E-mail address"),
					name: text("Name"),
					phone: text("Telephone number"),
					description: text("Internal description"),
					metadata,
					idempotency_key,
				},
			),
			headers,
			body: {
				kind: "form",
				fields: {
					email: "{{params.email}}",
					name: "{{params.name}}",
					phone: "{{params.phone}}",
					description: "{{params.description}}",
					metadata: "{{params.metadata}}",
				},
			},
			output: { schema: customer },
			examples: [
				{
					title: "With your own id",
					params: { email: "jenny@example.com", name: "Jenny Rosen", metadata: { order_id: "6735" } },
				},
			],
		},
		list_customers: {
			title: "List customers",
			description: "Newest first; with email, only customers with exactly that address.",
			method: "GET",
			path: "/customers",
			params: params({}, { email: text("E-mail address, case-sensitive"), ...paging }),
			query: {
				email: "{{params.email}}",
				limit: "{{params.limit}}",
				starting_after: "{{params.starting_after}}",
			},
			paginate: pages,
			output: { schema: page(customer, "The customers") },
			examples: [{ title: "By address", params: { email: "jenny@example.com" } }],
		},
		create_checkout_session: {
			title: "Create a checkout page",
			description: "Send the buyer to the url in the response.",
			method: "POST",
			path: "/checkout/sessions",
			params: params(
				{
					line_items: list(
						object("A line item: { price, quantity }", {
							price: text("A price's id, starts with price_"),
							quantity: integer("Quantity"),
						}),
						"The line items",
						{ minItems: 1 },
					),
					success_url: text("Page after the payment; may contain {CHECKOUT_SESSION_ID}"),
				},
				{
					mode: choice(
						["payment", "subscription", "setup"],
						"A one-time payment, a subscription, or only saving a payment method",
						{
							default: "payment",
						},
					),
					cancel_url: text("Page for buyers who cancel"),
					customer: text("A customer's id"),
					customer_email: text("E-mail address, for a new customer"),
					client_reference_id: text("Your own reference"),
					metadata,
					idempotency_key,
				},
			),
			headers,
			body: {
				kind: "form",
				fields: {
					mode: "{{params.mode}}",
					success_url: "{{params.success_url}}",
					cancel_url: "{{params.cancel_url}}",
					line_items: "{{params.line_items}}",
					customer: "{{params.customer}}",
					customer_email: "{{params.customer_email}}",
					client_reference_id: "{{params.client_reference_id}}",
					metadata: "{{params.metadata}}",
				},
			},
			output: {
				schema: answer({
					id: text("Its id, starts with cs_"),
					url: orNull(text("The page to send the buyer to")),
					status: orNull(text("open, complete or expired")),
					payment_status: text("paid, unpaid or no_payment_required"),
				}),
			},
			examples: [
				{
					title: "Two of one item",
					params: {
						line_items: [{ price: "price_1MotwRLkdIwHu7ixYcPLm5uZ", quantity: 2 }],
						success_url: "https://example.com/success",
					},
				},
			],
		},
		create_payment_intent: {
			title: "Start a payment",
			method: "POST",
			path: "/payment_intents",
			params: params(
				{ amount, currency },
				{
					customer: text("A customer's id"),
					description: text("What it is for"),
					receipt_email: text("E-mail address for the receipt"),
					metadata,
					idempotency_key,
				},
			),
			headers,
			body: {
				kind: "form",
				fields: {
					amount: "{{params.amount}}",
					currency: "{{params.currency}}",
					customer: "{{params.customer}}",
					description: "{{params.description}}",
					receipt_email: "{{params.receipt_email}}",
					metadata: "{{params.metadata}}",
					automatic_payment_methods: { enabled: true },
				},
			},
			output: { schema: paymentIntent },
			examples: [{ title: "20 euros", params: { amount: 2000, currency: "eur" } }],
		},
		list_payment_intents: {
			title: "List payments",
			description: "Newest first.",
			method: "GET",
			path: "/payment_intents",
			params: params({}, { customer: text("Only payments of this customer"), ...paging }),
			query: {
				customer: "{{params.customer}}",
				limit: "{{params.limit}}",
				starting_after: "{{params.starting_after}}",
			},
			paginate: pages,
			output: { schema: page(paymentIntent, "The payments") },
			examples: [{ title: "The last three", params: { limit: 3 } }],
		},
		create_refund: {
			title: "Refund a payment",
			method: "POST",
			path: "/refunds",
			params: params(
				{ payment_intent: text("The payment's id, starts with pi_") },
				{
					amount: integer("In the smallest unit; the full amount if left out", { minimum: 1 }),
					reason: choice(["duplicate", "fraudulent", "requested_by_customer"], "Why"),
					metadata,
					idempotency_key,
				},
			),
			headers,
			body: {
				kind: "form",
				fields: {
					payment_intent: "{{params.payment_intent}}",
					amount: "{{params.amount}}",
					reason: "{{params.reason}}",
					metadata: "{{params.metadata}}",
				},
			},
			output: {
				schema: answer({
					id: text("Its id, starts with re_"),
					...money,
					status: orNull(text("pending, succeeded, failed or canceled")),
				}),
			},
			examples: [{ title: "Full refund", params: { payment_intent: "pi_1GszsK2eZvKYlo2CfhZyoZLp" } }],
		},
		get_balance: {
			title: "Get the account's balance",
			method: "GET",
			path: "/balance",
			params: params({}),
			output: {
				schema: answer({
					available: list(object("Per currency", money), "Available for payout"),
					pending: list(object("Per currency", money), "Not yet available"),
				}),
			},
			examples: [{ title: "Now", params: {} }],
		},
	},
};
