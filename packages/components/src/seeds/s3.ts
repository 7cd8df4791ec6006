import type { ApiRecipe } from "@tripline/contract/recipes";
import { file, integer, text } from "../schema-words.ts";
import { answer, done, exampleFile, params } from "./schema.ts";

const bucket = text("The bucket's name");
const key = text("The object's key, such as reports/2026/january.csv");

export const s3: ApiRecipe = {
	id: "s3",
	category: "files",
	title: "S3",
	description:
		"Objects in Amazon S3 and S3-compatible services such as Cloudflare R2, MinIO or Backblaze B2. The credential names the endpoint.",
	auth: "s3_keys",
	base_url: "https://{{credential.host}}",
	docs_url:
		"https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html",
	operations: {
		put_object: {
			title: "Store text",
			description: "Replaces an existing object.",
			method: "PUT",
			path: "/{bucket}/{+key}",
			params: params(
				{ bucket, key, text: text("The content") },
				{ content_type: text("Its media type", { default: "text/plain; charset=utf-8" }) },
			),
			headers: { "content-type": "{{params.content_type}}" },
			body: { kind: "text", text: "{{params.text}}" },
			response: "text",
			output: {
				value: { etag: "{{headers.etag}}" },
				schema: answer({ etag: text("ETag of the content") }),
			},
			examples: [
				{
					title: "A report",
					params: {
						bucket: "my-bucket",
						key: "reports/january.csv",
						text: "day,sum\n1,7",
						content_type: "text/csv",
					},
				},
			],
		},
		get_object: {
			title: "Get text",
			method: "GET",
			path: "/{bucket}/{+key}",
			params: params({ bucket, key }),
			response: "text",
			output: { schema: text("The content") },
			examples: [{ title: "A report", params: { bucket: "my-bucket", key: "reports/january.csv" } }],
		},
		get_object_base64: {
			title: "Get a file as base64",
			description: "For images and other binary files.",
			method: "GET",
			path: "/{bucket}/{+key}",
			params: params({ bucket, key }),
			response: "base64",
			output: { schema: text("The content as base64") },
			examples: [{ title: "A picture", params: { bucket: "my-bucket", key: "logo.png" } }],
		},
		put_file: {
			title: "Store a file",
			description: "Replaces an existing object.",
			method: "PUT",
			path: "/{bucket}/{+key}",
			params: params(
				{ bucket, key, file: file("The content") },
				{ content_type: text("Its media type; default the file's") },
			),
			headers: { "content-type": "{{params.content_type}}" },
			body: { kind: "file", file: "{{params.file}}" },
			response: "text",
			output: {
				value: { etag: "{{headers.etag}}" },
				schema: answer({ etag: text("ETag of the content") }),
			},
			examples: [
				{
					title: "A picture",
					params: { bucket: "my-bucket", key: "logo.png", file: exampleFile("logo.png", "image/png") },
				},
			],
		},
		get_file: {
			title: "Get a file",
			method: "GET",
			path: "/{bucket}/{+key}",
			params: params({ bucket, key }, { name: text("Name of the file; default the end of the key") }),
			response: "file",
			filename: "{{params.name}}",
			output: { schema: file("The object's content") },
			examples: [{ title: "A picture", params: { bucket: "my-bucket", key: "logo.png" } }],
		},
		delete_object: {
			title: "Delete an object",
			description: "Succeeds even if the object does not exist.",
			method: "DELETE",
			path: "/{bucket}/{+key}",
			params: params({ bucket, key }),
			response: "text",
			output: done("deleted", "Always true"),
			examples: [{ title: "A report", params: { bucket: "my-bucket", key: "reports/january.csv" } }],
		},
		list_objects: {
			title: "List objects of a bucket",
			description:
				"Returns XML: parse it with the component parse. ListBucketResult has Contents, IsTruncated and NextContinuationToken.",
			method: "GET",
			path: "/{bucket}",
			params: params(
				{ bucket },
				{
					prefix: text("Only keys that start with this"),
					delimiter: text("Groups keys up to this character, such as /"),
					max_keys: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 1000 }),
					continuation_token: text("NextContinuationToken of the previous page"),
				},
			),
			query: {
				"list-type": 2,
				prefix: "{{params.prefix}}",
				delimiter: "{{params.delimiter}}",
				"max-keys": "{{params.max_keys}}",
				"continuation-token": "{{params.continuation_token}}",
			},
			response: "text",
			output: { schema: text("XML") },
			examples: [{ title: "Reports", params: { bucket: "my-bucket", prefix: "reports/" } }],
		},
	},
};
