-- Run once by the postgres image, as superuser, when its volume is empty. The owner creates the roles, because since
-- PostgreSQL 16 it can only grant them without being a superuser if it created them. `ops migrate` uses these roles.
\getenv owner_password OWNER_DB_PASSWORD
\getenv api_password API_DB_PASSWORD
\getenv worker_password WORKER_DB_PASSWORD
\getenv web_password WEB_DB_PASSWORD
create role brickmark login createrole password :'owner_password';
create database brickmark owner brickmark;
set role brickmark;
create role brickmark_api login password :'api_password';
create role brickmark_worker login password :'worker_password';
create role brickmark_web login password :'web_password';
